import type { DataSource } from 'typeorm';
import { agentId } from '#libs/catalog';
import { newBatchId, visitId, type EnrichedVisit, type IdentificationResult } from '#libs/contracts';
import {
  CheckoutsRepository,
  CountSumsRepository,
  dayOf,
  type Dimension,
  PartitionsRepository,
  VisitFormsRepository,
  VisitsRepository,
} from '#libs/visit-store';
import { visitRow } from '../../apps/ingest/src/steps/visit-row.step.js';

/** Visit with only the fields that matter to a test. */
export interface StoredVisit {
  /** ISO 8601. */
  at: string;
  /** Token of the agent. Default: none, which stands for a person. */
  agent?: string;
  type?: string;
  operator?: string;
  result?: IdentificationResult;
  reason?: string;
  evidence?: object;
  address?: string;
  method?: string;
  path?: string;
  status?: number;
  headers?: Record<string, string | string[]>;
  extra?: object;
  /** Results of enrichment other than the agent. */
  insights?: Pick<EnrichedVisit, 'robots' | 'referral' | 'automation'>;
  /** Dimensions to count the visit in, in addition to those derived from it. */
  dimensions?: readonly Dimension[];
  /** Counts the visit without storing it. Only for people. */
  keptAs?: 'counted';
}

/**
 * Stores visits like ingest does. Storing a batch again has no effect.
 *
 * @param now Time of receipt in milliseconds since the epoch.
 */
export async function storeVisits(
  dataSource: DataSource,
  projectId: string,
  now: number,
  visits: readonly StoredVisit[],
  batch = newBatchId(now),
): Promise<void> {
  await new PartitionsRepository(dataSource).ensure([dayOf(now)]);
  const rows = visits.map((visit, index) => {
    const made = enriched(projectId, visitId(batch, index), now, visit);
    const row = visitRow(made, now, { days: 90, unknownDays: 90 });
    if (!row.ok) throw new Error(`no visit: ${JSON.stringify(row)}`);
    return { ...row.value, dimensions: [...row.value.dimensions, ...(visit.dimensions ?? [])] };
  });
  await new VisitsRepository(dataSource, new VisitFormsRepository(dataSource)).store(rows);
}

/** Sums up the counts of days that are over at `now`, like ingest does. */
export async function sumUpCounts(dataSource: DataSource, now: number): Promise<void> {
  const sums = new CountSumsRepository(dataSource);
  for (const day of await sums.due(new Date(now), 0)) await sums.sumUp(day, new Date(now));
}

/** Anonymizes checkouts whose last visit is more than that many days ago, like ingest does. */
export const anonymizeCheckouts = (dataSource: DataSource, days: number): Promise<void> =>
  new CheckoutsRepository(dataSource).anonymize(days);

function enriched(projectId: string, id: string, now: number, visit: StoredVisit): EnrichedVisit {
  return {
    id,
    project_id: projectId,
    received_at: new Date(now).toISOString(),
    occurred_at: new Date(visit.at).toISOString(),
    client_address: visit.address ?? null,
    visit: {
      request_path: visit.path ?? '/',
      request_method: visit.method ?? 'GET',
      request_headers: visit.headers ?? {},
      response_status_code: visit.status ?? 200,
      ...visit.extra,
    },
    identification: {
      result: visit.result ?? (visit.agent === undefined ? 'unknown_agent' : 'not_verifiable'),
      agent_id: visit.agent === undefined ? null : agentId(visit.agent),
      agent_token: visit.agent ?? null,
      agent_url: null,
      agent_type_name: visit.type ?? (visit.agent === undefined ? null : 'Uncategorized'),
      operator_name: visit.operator ?? null,
      method: null,
      reason: visit.reason ?? null,
      evidence: visit.evidence ?? {},
      catalog_version: 'v',
    },
    ...visit.insights,
    ...(visit.keptAs && { kept_as: visit.keptAs }),
  };
}
