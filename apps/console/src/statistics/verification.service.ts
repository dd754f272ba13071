import { Injectable } from '@nestjs/common';
import {
  MAX_SPOOFS,
  type ClientNetwork,
  type Spoof,
  type UnverifiedResult,
  type VerificationOverview,
} from '#libs/contracts';
import {
  CountsRepository,
  type Reason,
  type SampledVisit,
  SamplesRepository,
  type Snapshot,
  type UnverifiedVisit,
} from '#libs/visit-store';
import { NetworksService } from '../networks/networks.service.js';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { getNetwork } from './network.js';
import { describeComparison } from './overview.service.js';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { VisitsByName } from './visit-counts.js';
import type { ComparedSeries, Series } from './time-range.js';
import { stripQuery } from './visiting-agent.service.js';

const MAX_PATHS = 3;
const MAX_NETWORKS = 3;
const NO_REASON: Reason = { reason: null, hostNames: [] };

/** Summarizes verification results over time, and groups unverified visits by origin. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly names: AgentNamesRepository,
    private readonly networks: NetworksService,
  ) {}

  overview(projectId: string, compared: ComparedSeries, result: UnverifiedResult): Promise<VerificationOverview> {
    const { current, previous } = compared;
    return this.reading.read(async (snapshot) => {
      const series = await this.countVerdicts(snapshot, projectId, current);
      const previousSeries = await this.countVerdicts(snapshot, projectId, previous);
      const { visits, isSampled } = await this.samples.sampleUnverifiedVisits(snapshot, projectId, current, result);
      const ids = [...new Set(visits.flatMap(({ agent_id: id }) => id ?? []))];
      const getNames = await this.names.find(snapshot, projectId, ids);
      const spoofs = groupSpoofs(visits, (address) => this.networks.find(address));
      const reasons = await this.samples.findReasons(
        snapshot,
        spoofs.map(({ newest }) => newest.id),
      );
      return {
        ...describeComparison(compared),
        series,
        previous_series: previousSeries,
        spoofs: spoofs.map((spoof) => toSpoof(spoof, getNames, reasons.get(spoof.newest.id) ?? NO_REASON)),
        reasons: countReasons(visits),
        is_sampled: isSampled,
        has_network_names: this.networks.hasOperators,
      };
    });
  }

  private async countVerdicts(snapshot: Snapshot, projectId: string, series: Series) {
    const items = series.starts.map((start) => ({
      time: new Date(start).toISOString(),
      verified: 0,
      verification_failed: 0,
      not_verifiable: 0,
    }));
    for (const { item, result, visits } of await this.counts.byTypeAndResult(snapshot, projectId, series)) {
      if (result !== 'unknown_agent') items[item]![result as 'verified'] += visits;
    }
    return items;
  }
}

/** Unverified visits by one agent from one autonomous system, or from one network if the system is unknown. */
interface SpoofGroup {
  newest: SampledVisit;
  visits: number;
  paths: VisitsByName;
  networks: VisitsByName;
  /** Network of the most recent visit. Its country is null if the visits came from several countries. */
  owner: ClientNetwork | null;
}

function countReasons(visits: readonly UnverifiedVisit[]): VerificationOverview['reasons'] {
  return [...Map.groupBy(visits, ({ reason }) => reason)]
    .map(([reason, group]) => ({ reason, visits: group.length }))
    .toSorted((one, other) => other.visits - one.visits);
}

/** @param visits Newest first. */
function groupSpoofs(visits: readonly SampledVisit[], findNetwork: NetworksService['find']): SpoofGroup[] {
  const networksByAddress = new Map<string | null, ClientNetwork | null>();
  const groups = new Map<string, SpoofGroup>();
  for (const visit of visits) {
    const { client_address: address } = visit;
    if (!networksByAddress.has(address)) networksByAddress.set(address, findNetwork(address));
    const owner = networksByAddress.get(address)!;
    const network = owner?.prefix ?? getNetwork(address);
    const key = `${visit.agent_id} ${owner?.as_number ?? network}`;
    const group = groups.get(key) ?? {
      newest: visit,
      visits: 0,
      paths: new VisitsByName(),
      networks: new VisitsByName(),
      owner,
    };
    groups.set(key, group);
    group.visits += 1;
    group.paths.add(stripQuery(visit.path));
    if (network !== null) group.networks.add(network);
    if (group.owner !== null && group.owner.country_code !== owner?.country_code) {
      group.owner = { ...group.owner, country_code: null };
    }
  }
  return [...groups.values()].toSorted((one, other) => other.visits - one.visits).slice(0, MAX_SPOOFS);
}

function toSpoof(
  { newest, visits, paths, networks, owner }: SpoofGroup,
  getNames: (id: string) => AgentNames,
  { reason, hostNames }: Reason,
): Spoof {
  const names = newest.agent_id === null ? null : getNames(newest.agent_id);
  const top = networks.top(MAX_NETWORKS).map(([prefix, count]) => ({ prefix, visits: count }));
  return {
    agent_id: newest.agent_id,
    agent_token: names?.agent_token ?? null,
    agent_type_name: names?.agent_type_name ?? null,
    operator_name: names?.operator_name ?? null,
    client_network: owner && { ...owner, prefix: owner.prefix && top[0]!.prefix },
    networks: top,
    network_count: networks.size,
    host_names: hostNames,
    visits,
    paths: paths.top(MAX_PATHS).map(([path]) => path),
    reason,
    last_seen_at: newest.occurred_at.toISOString(),
  };
}
