import { Injectable } from '@nestjs/common';
import type { IdentificationResult, VisitingAgent } from '#libs/contracts';
import { AgentNamesRepository } from './agent-names.repository.js';
import { CountsRepository } from './counts.repository.js';
import { describeRange } from './overview.service.js';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { SamplesRepository, type SampledVisit } from './samples.repository.js';
import { agentTallies, isShown, Tally } from './tally.js';
import { before, type Series } from './time-range.js';

const MOST = 20;
const MAX_ADDRESSES = 50;

/** What one agent did. */
@Injectable()
export class VisitingAgentService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  /** `null` for an agent that is not in the catalog and did not visit in the range. */
  find(projectId: string, agentId: string, series: Series): Promise<VisitingAgent | null> {
    return this.reading.read(async (query) => {
      const tallyOf = async (range: { from: number; to: number }) =>
        agentTallies(await this.counts.byAgent(query, projectId, range)).find((tally) => tally.agentId === agentId);
      const tally = await tallyOf(series);
      const names = (await this.names.find(query, projectId, [agentId]))(agentId);
      if (tally === undefined && names.agent_token === null) return null;
      const previous = await tallyOf(before(series));
      const counts = await this.counts.agentSeries(query, projectId, series, [agentId]);
      const { visits, isSampled } = await this.samples.ofAgent(query, projectId, agentId, series);
      return {
        ...describeRange(series),
        agent_id: agentId,
        ...names,
        agent_type_name: names.agent_type_name ?? tally?.type ?? null,
        visits: tally?.visits ?? 0,
        previous_visits: previous?.visits ?? 0,
        verified: tally?.verified ?? 0,
        verification_failed: tally?.verification_failed ?? 0,
        last_seen_at: tally?.lastSeenAt.toISOString() ?? null,
        series: agentSeries(series, counts),
        ...detailsOf(visits),
        is_sampled: isSampled,
      };
    });
  }
}

function agentSeries({ starts }: Series, counts: readonly { item: number; result: string; visits: number }[]) {
  const items = starts.map((start) => ({
    time: new Date(start).toISOString(),
    visits: 0,
    verified: 0,
    verification_failed: 0,
  }));
  for (const { item, result, visits } of counts) {
    items[item]!.visits += visits;
    if (isShown(result)) items[item]![result] += visits;
  }
  return items;
}

function detailsOf(visits: readonly SampledVisit[]) {
  const [pages, statuses, methods, addresses] = [new Tally(), new Tally(), new Tally(), new Tally()];
  for (const { path, status, method, client_address: address, result } of visits) {
    pages.add(pageOf(path));
    if (status !== null) statuses.add(String(status));
    methods.add(method);
    addresses.add(`${result} ${address ?? ''}`);
  }
  return {
    top_pages: pages.top(MOST).map(([path, count]) => ({ path, visits: count })),
    top_statuses: statuses.top(MOST).map(([status, count]) => ({ status: Number(status), visits: count })),
    addresses: addresses.top(MAX_ADDRESSES).map(([name, count]) => {
      const [result, address] = name.split(' ') as [IdentificationResult, string];
      return { address: address === '' ? null : address, visits: count, result };
    }),
    methods: methods.top(MOST).map(([method, count]) => ({ method, visits: count })),
  };
}

/** A path without its query. */
export function pageOf(path: string): string {
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
