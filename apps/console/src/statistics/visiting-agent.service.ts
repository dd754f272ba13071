import { Injectable } from '@nestjs/common';
import type { IdentificationResult, VisitingAgent } from '#libs/contracts';
import { type AgentVisit, CountsRepository, SamplesRepository } from '#libs/visit-store';
import { NetworksService } from '../networks/networks.service.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { describeComparison } from './overview.service.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { sumByAgent, isVerificationOutcome, VisitsByName } from './visit-counts.js';
import type { ComparedSeries, Series } from './time-range.js';

const MAX_ROWS = 20;
const MAX_ADDRESSES = 50;

@Injectable()
export class VisitingAgentService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly names: AgentNamesRepository,
    private readonly networks: NetworksService,
  ) {}

  /**
   * Returns null if the agent has no visits in the range and its name is in neither the catalog nor a stored visit.
   */
  find(projectId: string, agentId: string, compared: ComparedSeries): Promise<VisitingAgent | null> {
    const { current: series, previous: previousSeries } = compared;
    return this.reading.read(async (snapshot) => {
      const findAgentVisits = async (range: { from: number; to: number }) =>
        sumByAgent(await this.counts.byAgent(snapshot, projectId, range)).find((agent) => agent.agentId === agentId);
      const current = await findAgentVisits(series);
      const names = (await this.names.find(snapshot, projectId, [agentId]))(agentId);
      if (current === undefined && names.agent_token === null) return null;
      const previous = await findAgentVisits(previousSeries);
      const counts = await this.counts.agentSeries(snapshot, projectId, series, [agentId]);
      const previousCounts = await this.counts.agentSeries(snapshot, projectId, previousSeries, [agentId]);
      const { visits, isSampled } = await this.samples.sampleAgentVisits(snapshot, projectId, agentId, series);
      return {
        ...describeComparison(compared),
        agent_id: agentId,
        ...names,
        agent_type_name: names.agent_type_name ?? current?.type ?? null,
        visits: current?.visits ?? 0,
        previous_visits: previous?.visits ?? 0,
        verified: current?.verified ?? 0,
        verification_failed: current?.verification_failed ?? 0,
        last_seen_at: current?.lastSeenAt.toISOString() ?? null,
        series: toAgentSeries(series, counts),
        previous_series: toAgentSeries(previousSeries, previousCounts),
        ...summarizeVisits(visits, (address) => this.networks.find(address)),
        is_sampled: isSampled,
      };
    });
  }
}

function toAgentSeries({ starts }: Series, counts: readonly { item: number; result: string; visits: number }[]) {
  const items = starts.map((start) => ({
    time: new Date(start).toISOString(),
    visits: 0,
    verified: 0,
    verification_failed: 0,
  }));
  for (const { item, result, visits } of counts) {
    items[item]!.visits += visits;
    if (isVerificationOutcome(result)) items[item]![result] += visits;
  }
  return items;
}

function summarizeVisits(visits: readonly AgentVisit[], findNetwork: NetworksService['find']) {
  const [pages, statuses, methods, addresses] = [
    new VisitsByName(),
    new VisitsByName(),
    new VisitsByName(),
    new VisitsByName(),
  ];
  for (const { path, status, method, client_address: address, result } of visits) {
    pages.add(stripQuery(path));
    if (status !== null) statuses.add(String(status));
    methods.add(method);
    addresses.add(`${result} ${address ?? ''}`);
  }
  return {
    top_pages: pages.top(MAX_ROWS).map(([path, count]) => ({ path, visits: count })),
    top_statuses: statuses.top(MAX_ROWS).map(([status, count]) => ({ status: Number(status), visits: count })),
    addresses: addresses.top(MAX_ADDRESSES).map(([name, count]) => {
      const [result, text] = name.split(' ') as [IdentificationResult, string];
      const address = text === '' ? null : text;
      return { address, client_network: findNetwork(address), visits: count, result };
    }),
    methods: methods.top(MAX_ROWS).map(([method, count]) => ({ method, visits: count })),
  };
}

export function stripQuery(path: string): string {
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
