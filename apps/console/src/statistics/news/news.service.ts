import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { MAX_NEWS_PER_KIND, type News, type NewsItem } from '#libs/contracts';
import { CountsRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../../reads/snapshot-reader.js';
import { AgentNamesRepository } from '../agent-names.repository.js';
import type { TimeRange } from '../time-range.js';
import { AddressListsRepository } from './address-lists.repository.js';
import { countRange, type CountedRange, type NewsItemOfKind, type WithoutAgentNames } from './counted-range.js';
import { FaultNewsService } from './fault-news.service.js';
import { changeScore, interleave } from './news-ranking.js';

/** Timeout for each query. Short, because the overview page waits for the news. */
const TIMEOUT_MS = 3_000;

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
    private readonly lists: AddressListsRepository,
    private readonly faults: FaultNewsService,
  ) {}

  findNews(projectId: string, range: TimeRange, { previous, now, isAdmin }: NewsOptions): Promise<News> {
    return this.reading.read(
      async (snapshot) => {
        const [visits] = await this.counts.firstAndLastVisits(snapshot, [projectId]);
        const kinds =
          visits === undefined
            ? []
            : await this.findVisitNews({ snapshot, projectId, range, previous, ...toVisitTimes(visits) }, now);
        if (isAdmin) kinds.push(await this.findAddressListNews());
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

  private async findVisitNews(
    range: Parameters<typeof countRange>[1],
    now: number,
  ): Promise<WithoutAgentNames<NewsItem>[][]> {
    const counted = await countRange(this.counts, range);
    const newAgents = await this.findNewAgents(counted);
    return [
      await this.faults.findSilence(counted, now),
      await this.faults.findErrors(counted),
      await this.faults.findSpoofing(counted),
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

  private async findAddressListNews(): Promise<NewsItemOfKind<'address_lists'>[]> {
    const { lists, failing } = await this.lists.count();
    return failing === 0 ? [] : [{ kind: 'address_lists', failing, lists }];
  }

  private async addAgentNames(
    snapshot: Snapshot,
    projectId: string,
    items: WithoutAgentNames<NewsItem>[],
  ): Promise<NewsItem[]> {
    const ids = items.flatMap((item) => ('agent_id' in item ? item.agent_id : []));
    const getNames = await this.names.find(snapshot, projectId, [...new Set(ids)]);
    return items.map((item) => {
      if (!('agent_id' in item)) return item;
      const { agent_token, agent_type_name, operator_name } = getNames(item.agent_id);
      return { ...item, agent_token, agent_type_name, operator_name };
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
): WithoutAgentNames<NewsItemOfKind<'agent_change'>>[] {
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
    }));
}
