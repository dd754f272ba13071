import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { MAX_NEWS_PER_KIND, type News, type NewsItem } from '#libs/contracts';
import { CountsRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../../reads/snapshot-reader.js';
import { AgentFilesService } from '../agent-files.service.js';
import { AgentNamesRepository } from '../agent-names.repository.js';
import type { TimeRange } from '../time-range.js';
import { ChangeCausesService } from './change-causes.service.js';
import { mergeOutage } from './error-period.js';
import { countRange, type CountedRange, type NewsItemOfKind, type WithoutAgentNames } from './counted-range.js';
import { FaultNewsService } from './fault-news.service.js';
import { ImpersonationsService } from './impersonations.service.js';
import { changeScore, interleave } from './news-ranking.js';

/** Timeout for each query. Short, because the overview page waits for the news. */
const TIMEOUT_MS = 3_000;
/** Number of changes to explain, the largest ones first. */
const MAX_EXPLAINED_CHANGES = 4;

type AgentChange = WithoutAgentNames<NewsItemOfKind<'agent_change'>>;

interface NewsOptions {
  previous: TimeRange;
  /** Milliseconds since the epoch. */
  now: number;
  isAdmin: boolean;
}

/** Finds noteworthy changes in a range, such as new agents, rising or falling visits, spoofing and errors. */
@Injectable()
export class NewsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
    private readonly faults: FaultNewsService,
    private readonly files: AgentFilesService,
    private readonly causes: ChangeCausesService,
    private readonly impersonations: ImpersonationsService,
  ) {}

  async findNews(projectId: string, range: TimeRange, options: NewsOptions): Promise<News> {
    const news = await this.readNews(projectId, range, options);
    const ranges = { range, previous: options.previous };
    const items = await this.addCauses(projectId, news.items, ranges);
    return { ...news, items: await this.impersonations.addTo(items, projectId, ranges) };
  }

  private readNews(projectId: string, range: TimeRange, { previous, now, isAdmin }: NewsOptions): Promise<News> {
    return this.reading.read(
      async (snapshot) => {
        const [visits] = await this.counts.firstAndLastVisits(snapshot, [projectId]);
        const counted =
          visits === undefined
            ? null
            : await countRange(this.counts, { snapshot, projectId, range, previous, ...toVisitTimes(visits) });
        const kinds = counted === null ? [] : await this.findVisitNews(counted, now);
        if (isAdmin) kinds.push(await this.faults.findFailingLists(counted?.visits ?? new Map()));
        const items = interleave(kinds.map((kind) => kind.slice(0, MAX_NEWS_PER_KIND)));
        return {
          from: new Date(range.from).toISOString(),
          to: new Date(range.to).toISOString(),
          compared_from: new Date(previous.from).toISOString(),
          compared_to: new Date(previous.to).toISOString(),
          items: await this.addAgentNames(snapshot, projectId, items),
        };
      },
      { timeoutMs: TIMEOUT_MS },
    );
  }

  private async findVisitNews(counted: CountedRange, now: number): Promise<WithoutAgentNames<NewsItem>[][]> {
    const newAgents = await this.findNewAgents(counted);
    const { outages, errors } = mergeOutage(
      await this.faults.findOutage(counted),
      await this.faults.findErrors(counted),
    );
    return [
      await this.faults.findSilence(counted, now),
      outages,
      errors,
      await this.faults.findSpoofing(counted),
      await this.findRobotsRefusals(counted),
      newAgents,
      rankChanges(counted, new Set(newAgents.map(({ agent_id: id }) => id))),
    ];
  }

  private async findNewAgents(counted: CountedRange): Promise<WithoutAgentNames<NewsItemOfKind<'new_agent'>>[]> {
    const { snapshot, projectId, range, previous, since, isKnown, visits, previousVisits } = counted;
    const isPreviousEarlier = previous.to <= range.from;
    const candidates = [...visits].filter(
      ([id]) => id !== TEST_AGENT_ID && (!isPreviousEarlier || !previousVisits.has(id)),
    );
    if (!isKnown || candidates.length === 0) return [];
    const ids = candidates.map(([id]) => id);
    const seen = await this.counts.findAgentsInRange(snapshot, projectId, { from: since, to: range.from }, ids);
    return candidates
      .filter(([id]) => !seen.has(id))
      .toSorted(([, one], [, other]) => other - one)
      .map(([id, count]) => ({ kind: 'new_agent', agent_id: id, visits: count }));
  }

  private async findRobotsRefusals({
    snapshot,
    projectId,
    range,
  }: CountedRange): Promise<WithoutAgentNames<NewsItemOfKind<'robots_refused'>>[]> {
    const refused = await this.files.findRobotsRefusals(snapshot, projectId, range);
    if (refused === null) return [];
    const { agents, ...sums } = refused;
    return [
      { kind: 'robots_refused', ...sums, agents: agents.slice(0, MAX_NEWS_PER_KIND), agent_count: agents.length },
    ];
  }

  /** Adds causes to the largest changes. The others have none, because that would read too many visits. */
  private async addCauses(
    projectId: string,
    items: NewsItem[],
    ranges: { range: TimeRange; previous: TimeRange },
  ): Promise<NewsItem[]> {
    const changes = items.filter((item) => item.kind === 'agent_change').slice(0, MAX_EXPLAINED_CHANGES);
    if (changes.length === 0) return items;
    const causes = await this.causes.findAll(
      projectId,
      changes.map(({ agent_id: agentId, visits, previous_visits: previousVisits }) => ({
        agentId,
        visits,
        previousVisits,
        ...ranges,
        hasSpoofed: false,
      })),
    );
    return items.map((item) =>
      item.kind === 'agent_change' ? { ...item, causes: causes.get(item.agent_id) ?? null } : item,
    );
  }

  private async addAgentNames(
    snapshot: Snapshot,
    projectId: string,
    items: WithoutAgentNames<NewsItem>[],
  ): Promise<NewsItem[]> {
    const ids = items.flatMap((item) => {
      if ('agents' in item) return item.agents.map((agent) => agent.agent_id);
      return 'agent_id' in item ? item.agent_id : [];
    });
    const getNames = await this.names.find(snapshot, projectId, [...new Set(ids)]);
    const addNames = <T extends { agent_id: string }>(named: T) => {
      const { agent_token, agent_type_name, operator_name } = getNames(named.agent_id);
      return { ...named, agent_token, agent_type_name, operator_name };
    };
    return items.map((item) => {
      if ('agents' in item) return { ...item, agents: item.agents.map(addNames) };
      return 'agent_id' in item ? addNames(item) : item;
    });
  }
}

const toVisitTimes = ({ first_at: first, last_at: last }: { first_at: Date; last_at: Date }) => ({
  first: first.getTime(),
  last: last.getTime(),
});

/** Returns agents with more or fewer visits, largest change first. Excludes new agents. */
function rankChanges(
  { visits, previousVisits, isCompared }: CountedRange,
  newAgents: ReadonlySet<string>,
): AgentChange[] {
  if (!isCompared) return [];
  return [...new Set([...visits.keys(), ...previousVisits.keys()])]
    .filter((id) => !newAgents.has(id))
    .map((id) => ({ id, visits: visits.get(id) ?? 0, previous: previousVisits.get(id) ?? 0 }))
    .map((change) => ({ ...change, score: changeScore(change.visits, change.previous) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ id, visits: count, previous }) => ({
      kind: 'agent_change',
      agent_id: id,
      visits: count,
      previous_visits: previous,
      causes: null,
    }));
}
