import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import { MAX_NEWS_OF_KIND, type News, type NewsItem } from '#libs/contracts';
import { CountsRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../../reading/snapshot-reader.js';
import { AgentNamesRepository } from '../agent-names.repository.js';
import type { TimeRange } from '../time-range.js';
import { AddressListsRepository } from './address-lists.repository.js';
import { countRange, type CountedRange, type NewsOf, type Unnamed } from './counted-range.js';
import { FaultNewsService } from './fault-news.service.js';
import { changeScore, inTurns } from './news-ranking.js';

/** Timeout of each query. The overview waits for its news. */
const TIMEOUT_MS = 3_000;

interface NewsOptions {
  previous: TimeRange;
  /** Milliseconds since the epoch. */
  now: number;
  isAdmin: boolean;
}

/** Finds changes in a range: new agents, agents with more or fewer visits, spoofed agents, and problems. */
@Injectable()
export class NewsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly names: AgentNamesRepository,
    private readonly lists: AddressListsRepository,
    private readonly faults: FaultNewsService,
  ) {}

  news(projectId: string, range: TimeRange, { previous, now, isAdmin }: NewsOptions): Promise<News> {
    return this.reading.read(
      async (snapshot) => {
        const [visits] = await this.counts.firstAndLastVisits(snapshot, [projectId]);
        const kinds =
          visits === undefined
            ? []
            : await this.ofVisits({ snapshot, projectId, range, previous, ...timesOf(visits) }, now);
        if (isAdmin) kinds.push(await this.addressLists());
        const items = inTurns(kinds.map((kind) => kind.slice(0, MAX_NEWS_OF_KIND)));
        return {
          from: new Date(range.from).toISOString(),
          to: new Date(range.to).toISOString(),
          compared_from: new Date(previous.from).toISOString(),
          compared_to: new Date(previous.to).toISOString(),
          items: await this.named(snapshot, projectId, items),
        };
      },
      { timeoutMs: TIMEOUT_MS },
    );
  }

  private async ofVisits(range: Parameters<typeof countRange>[1], now: number): Promise<Unnamed<NewsItem>[][]> {
    const counted = await countRange(this.counts, range);
    const newAgents = await this.newAgents(counted);
    return [
      await this.faults.silence(counted, now),
      await this.faults.errors(counted),
      await this.faults.spoofing(counted),
      newAgents,
      changesOf(counted, new Set(newAgents.map(({ agent_id: id }) => id))),
    ];
  }

  private async newAgents(counted: CountedRange): Promise<Unnamed<NewsOf<'new_agent'>>[]> {
    const { snapshot, projectId, range, previous, since, isKnown, visits, previousVisits } = counted;
    const isEarlier = previous.to <= range.from;
    const candidates = [...visits].filter(([id]) => id !== TEST_AGENT_ID && (!isEarlier || !previousVisits.has(id)));
    if (!isKnown || candidates.length === 0) return [];
    const ids = candidates.map(([id]) => id);
    const seen = await this.counts.agentsIn(snapshot, projectId, { from: since, to: range.from }, ids);
    return candidates
      .filter(([id]) => !seen.has(id))
      .toSorted(([, one], [, other]) => other - one)
      .map(([id, count]) => ({ kind: 'new_agent', agent_id: id, visits: count }));
  }

  private async addressLists(): Promise<NewsOf<'address_lists'>[]> {
    const { lists, failing } = await this.lists.count();
    return failing === 0 ? [] : [{ kind: 'address_lists', failing, lists }];
  }

  private async named(snapshot: Snapshot, projectId: string, items: Unnamed<NewsItem>[]): Promise<NewsItem[]> {
    const ids = items.flatMap((item) => ('agent_id' in item ? item.agent_id : []));
    const nameOf = await this.names.find(snapshot, projectId, [...new Set(ids)]);
    return items.map((item) => {
      if (!('agent_id' in item)) return item;
      const { agent_token, agent_type_name, operator_name } = nameOf(item.agent_id);
      return { ...item, agent_token, agent_type_name, operator_name };
    });
  }
}

const timesOf = ({ first_at: first, last_at: last }: { first_at: Date; last_at: Date }) => ({
  first: first.getTime(),
  last: last.getTime(),
});

/** Returns the agents whose visits changed most, without new agents. */
function changesOf(
  { visits, previousVisits, isCompared }: CountedRange,
  newAgents: ReadonlySet<string>,
): Unnamed<NewsOf<'agent_change'>>[] {
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
