import { Injectable } from '@nestjs/common';
import { MAX_SPOOFS, type Spoof, type VerificationOverview } from '#libs/contracts';
import { AgentNamesRepository, type AgentNames } from './agent-names.repository.js';
import { CountsRepository } from './counts.repository.js';
import { networkOf } from './network.js';
import { describeRange } from './overview.service.js';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { SamplesRepository, type SampledVisit } from './samples.repository.js';
import { VisitsByName } from './visit-counts.js';
import type { Series } from './time-range.js';
import { pageOf } from './visiting-agent.service.js';

const MAX_PATHS = 3;

/** Sums up verification: results over time, and who failed it. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly counts: CountsRepository,
    private readonly samples: SamplesRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  overview(projectId: string, series: Series): Promise<VerificationOverview> {
    return this.reading.read(async (query) => {
      const items = series.starts.map((start) => ({
        time: new Date(start).toISOString(),
        verified: 0,
        verification_failed: 0,
        not_verifiable: 0,
      }));
      for (const { item, result, visits } of await this.counts.byType(query, projectId, series)) {
        if (result !== 'unknown_agent') items[item]![result as 'verified'] += visits;
      }
      const { visits, isSampled } = await this.samples.failed(query, projectId, series);
      const ids = [...new Set(visits.flatMap(({ agent_id: id }) => id ?? []))];
      const nameOf = await this.names.find(query, projectId, ids);
      const spoofs = spoofsOf(visits);
      const reasons = await this.samples.reasons(
        query,
        spoofs.map(({ newest }) => newest.id),
      );
      return {
        ...describeRange(series),
        series: items,
        spoofs: spoofs.map((spoof) => describe(spoof, nameOf, reasons.get(spoof.newest.id) ?? null)),
        is_sampled: isSampled,
      };
    });
  }
}

/** Failed verifications of one agent from one network. */
interface SpoofGroup {
  newest: SampledVisit;
  visits: number;
  paths: VisitsByName;
}

/** Returns the largest groups. @param visits newest first. */
function spoofsOf(visits: readonly SampledVisit[]): SpoofGroup[] {
  const groups = new Map<string, SpoofGroup>();
  for (const visit of visits) {
    const key = `${visit.agent_id} ${networkOf(visit.client_address)}`;
    const group = groups.get(key) ?? { newest: visit, visits: 0, paths: new VisitsByName() };
    groups.set(key, group);
    group.visits += 1;
    group.paths.add(pageOf(visit.path));
  }
  return [...groups.values()].toSorted((one, other) => other.visits - one.visits).slice(0, MAX_SPOOFS);
}

function describe(
  { newest, visits, paths }: SpoofGroup,
  nameOf: (id: string) => AgentNames,
  reason: string | null,
): Spoof {
  const names = newest.agent_id === null ? null : nameOf(newest.agent_id);
  return {
    agent_id: newest.agent_id,
    agent_token: names?.agent_token ?? null,
    agent_type_name: names?.agent_type_name ?? null,
    operator_name: names?.operator_name ?? null,
    network: networkOf(newest.client_address),
    visits,
    paths: paths.top(MAX_PATHS).map(([path]) => path),
    reason,
    last_seen_at: newest.occurred_at.toISOString(),
  };
}
