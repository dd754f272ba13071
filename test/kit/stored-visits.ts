import type { DataSource } from 'typeorm';
import { agentId } from '#libs/catalog';
import { createBatchId, createVisitId, type EnrichedVisit, type IdentificationResult } from '#libs/contracts';
import { getSqlState } from '#libs/platform';
import {
  CheckoutsRepository,
  CountRollupsRepository,
  toDayNumber,
  type Dimension,
  type VisitRow,
  PartitionsRepository,
  VisitsRepository,
} from '#libs/visit-store';
import { toRow, toVisitRow } from '../../apps/ingest/src/steps/visit-row.step.js';
import { createRepository } from './visit-store.js';

const NO_PARTITION_SQLSTATE = '23514';

/** Visit with only the fields that matter to a test. */
export interface StoredVisit {
  /** ISO 8601 time. */
  at: string;
  /** Agent token. By default, the visit comes from a person. */
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
  /** Enrichment results other than the agent. */
  insights?: Pick<EnrichedVisit, 'robots' | 'referral' | 'automation' | 'decisions' | 'reidentified'>;
  /** Dimensions to count the visit in, in addition to those derived from it. */
  dimensions?: readonly Dimension[];
  /** Counts the visit without storing it. Only allowed for people. */
  keptAs?: 'counted';
}

/**
 * Stores visits as ingest does. Storing the same batch twice has no effect.
 *
 * @param now Time of receipt in milliseconds since the Unix epoch.
 */
export async function storeVisits(
  dataSource: DataSource,
  projectId: string,
  now: number,
  visits: readonly StoredVisit[],
  batch = createBatchId(now),
): Promise<void> {
  const rows = visits.map((visit, index) => {
    const enrichedVisit = createEnrichedVisit(projectId, createVisitId(batch, index), now, visit);
    const row = toVisitRow(enrichedVisit, now, { days: 90, unknownDays: 90 });
    if (!row.ok) throw new Error(`Invalid visit: ${JSON.stringify(row)}`);
    return { ...row.value, dimensions: [...row.value.dimensions, ...(visit.dimensions ?? [])] };
  });
  const partitions = await createRepository(dataSource, PartitionsRepository);
  const repository = await createRepository(dataSource, VisitsRepository);
  const store = async (): Promise<void> => {
    await partitions.ensure([toDayNumber(now)]);
    await repository.store(rows);
  };
  await store().catch((error: unknown) => {
    if (getSqlState(error) !== NO_PARTITION_SQLSTATE) throw error;
    // The retention dropped the partition in the meantime.
    partitions.clearCache();
    return store();
  });
}

/**
 * Inserts visits by agents into PostgreSQL without their documents and counts, which is much faster than
 * {@link storeVisits}. Requires another visit that was received on the same day.
 */
export async function insertVisits(
  dataSource: DataSource,
  projectId: string,
  now: number,
  visits: readonly StoredVisit[],
): Promise<void> {
  const batch = createBatchId(now);
  await dataSource.query(
    `WITH reached AS (
       INSERT INTO visit_positions AS p (project_id, position) VALUES ($1, $2)
       ON CONFLICT (project_id, shard) DO UPDATE SET position = p.position + $2 RETURNING position - $2 AS start
     )
     INSERT INTO visits (id, project_id, occurred_at, position, agent_id, agent_type, result, path, status, kinds, document)
     SELECT id, $1, at, start + rank, agent_id, 'Uncategorized', result, path, 200, 1, '{}'
     FROM reached, unnest($3::uuid[], $4::timestamptz[], $5::uuid[], $6::text[], $7::text[]) WITH ORDINALITY AS v (
       id, at, agent_id, result, path, rank
     )`,
    [
      projectId,
      visits.length,
      visits.map((_, index) => createVisitId(batch, index)),
      visits.map(({ at }) => at),
      visits.map(({ agent }) => agentId(agent!)),
      visits.map(({ result }) => result ?? 'not_verifiable'),
      visits.map(({ path }) => path ?? '/'),
    ],
  );
}

/** Rolls up the counts for days that have ended by `now`, as ingest does. */
export async function rollUpCounts(dataSource: DataSource, now: number): Promise<void> {
  const sums = await createRepository(dataSource, CountRollupsRepository);
  for (const day of await sums.due(new Date(now), 0)) await sums.rollUp(day, new Date(now));
}

/** Anonymizes checkouts whose last visit was more than `days` days ago, as ingest does. */
export async function anonymizeCheckouts(dataSource: DataSource, days: number): Promise<void> {
  await (await createRepository(dataSource, CheckoutsRepository)).anonymize(days);
}

/** Converts an enriched visit to a row, as ingest does. */
export const toStoredRow = (visit: EnrichedVisit): VisitRow => toRow(visit);

/** Returns a visit as ingest stores it. */
export const createVisitRow = (projectId: string, id: string, now: number, visit: StoredVisit): VisitRow =>
  toRow(createEnrichedVisit(projectId, id, now, visit));

function createEnrichedVisit(projectId: string, id: string, now: number, visit: StoredVisit): EnrichedVisit {
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
