import { Injectable } from '@nestjs/common';
import {
  MAX_AGENT_ADDRESSES,
  MAX_SAMPLED_VISITS,
  type IdentificationResult,
  type VisitingAgent,
} from '#libs/contracts';
import { type AgentVisit, CountsRepository, SamplesRepository } from '#libs/visit-store';
import { NetworksService } from '../networks/networks.service.js';
import { ChangeCausesService } from './news/change-causes.service.js';
import { AgentNamesRepository } from './agent-names.repository.js';
import { describeComparison } from './overview.service.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { getNetwork } from './network.js';
import { sumByAgent, isVerificationOutcome, VisitsByName } from './visit-counts.js';
import type { ComparedSeries, Series } from './time-range.js';

const MAX_ROWS = 20;

@Injectable()
export class VisitingAgentService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly names: AgentNamesRepository,
    private readonly networks: NetworksService,
    private readonly causes: ChangeCausesService,
  ) {}

  /**
   * Returns null if the agent has no visits in the range and its name is in neither the catalog nor a stored visit.
   */
  async find(projectId: string, agentId: string, compared: ComparedSeries): Promise<VisitingAgent | null> {
    const agent = await this.readAgent(projectId, agentId, compared);
    if (agent === null) return null;
    const { visits, previous_visits: previousVisits } = agent;
    const { current: range, previous } = compared;
    const change = { agentId, visits, previousVisits, range, previous, hasSpoofed: true };
    const causes = await this.causes.findAll(projectId, [change]);
    return { ...agent, change_causes: causes.get(agentId) ?? null };
  }

  private readAgent(
    projectId: string,
    agentId: string,
    compared: ComparedSeries,
  ): Promise<Omit<VisitingAgent, 'change_causes'> | null> {
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
      const previousVisits = previous?.visits ?? 0;
      // Pages and statuses can only be compared if all visits in both ranges are still stored and were read.
      const canCompare =
        !isSampled &&
        visits.length >= (current?.visits ?? 0) &&
        previousVisits > 0 &&
        previousVisits <= MAX_SAMPLED_VISITS;
      const previousSample = canCompare
        ? await this.samples.sampleAgentVisits(snapshot, projectId, agentId, previousSeries)
        : null;
      const comparedVisits =
        previousSample !== null && previousSample.visits.length >= previousVisits ? previousSample.visits : null;
      return {
        ...describeComparison(compared),
        agent_id: agentId,
        ...names,
        agent_type_name: names.agent_type_name ?? current?.type ?? null,
        visits: current?.visits ?? 0,
        previous_visits: previousVisits,
        verified: current?.verified ?? 0,
        verification_failed: current?.verification_failed ?? 0,
        last_seen_at: current?.lastSeenAt.toISOString() ?? null,
        series: toAgentSeries(series, counts),
        previous_series: toAgentSeries(previousSeries, previousCounts),
        ...summarizeVisits(visits, comparedVisits, (address) => this.networks.find(address)),
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

/** @param before Visits in the comparison range, or null if they can't be compared. */
function summarizeVisits(
  visits: readonly AgentVisit[],
  before: readonly AgentVisit[] | null,
  findNetwork: NetworksService['find'],
) {
  const previousPages = countNames(before, ({ path }) => stripQuery(path));
  const previousStatuses = countNames(before, ({ status }) => (status === null ? null : String(status)));
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
    top_pages: pages
      .top(MAX_ROWS)
      .map(([path, count]) => ({ path, visits: count, ...toPrevious(previousPages, path) })),
    top_statuses: statuses.top(MAX_ROWS).map(([status, count]) => ({
      status: Number(status),
      visits: count,
      ...toPrevious(previousStatuses, status),
    })),
    addresses: addresses.top(MAX_AGENT_ADDRESSES).map(([name, count]) => {
      const [result, text] = name.split(' ') as [IdentificationResult, string];
      const address = text === '' ? null : text;
      return { address, network: getNetwork(address), client_network: findNetwork(address), visits: count, result };
    }),
    methods: methods.top(MAX_ROWS).map(([method, count]) => ({ method, visits: count })),
  };
}

function countNames(
  visits: readonly AgentVisit[] | null,
  getName: (visit: AgentVisit) => string | null,
): VisitsByName | null {
  if (visits === null) return null;
  const names = new VisitsByName();
  for (const visit of visits) {
    const name = getName(visit);
    if (name !== null) names.add(name);
  }
  return names;
}

const toPrevious = (names: VisitsByName | null, name: string) =>
  names === null ? {} : { previous_visits: names.get(name) };

export function stripQuery(path: string): string {
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
