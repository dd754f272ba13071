import { Injectable } from '@nestjs/common';
import {
  AlertConditionsRepository,
  type EvaluationRange,
  type MeasuredValue,
  type MetCondition,
  type ScopedAgent,
  type Snapshot,
  type WatchedAlert,
} from '#libs/visit-store';
import { DataSource, type EntityManager } from 'typeorm';

const QUARTER_MS = 900_000;

type Condition = Omit<WatchedAlert, 'id' | 'project_id' | 'watched_since' | 'project_created_at'>;

/**
 * `jsonb_to_record` decompresses each agent, including its address ranges, only once. `->>` would do so for every
 * field.
 */
const CATALOG_QUERY = `SELECT id, r.type, r.operator FROM agents, jsonb_to_record(record) AS r (type text, operator text)`;

/** SQL for the time when project `p` was created. Demo projects are created after their visits. */
const CREATED_AT = `CASE WHEN p.is_demo THEN to_timestamp(0) ELSE p.created_at END`;

const ENABLED_ALERTS_QUERY = `
  SELECT a.id, a.project_id, a.kind, a.agent_id, a.agent_type, a.operator, a.threshold, a.minimum, a.window_minutes,
    coalesce(a.watched_since, a.created_at) AS watched_since, ${CREATED_AT} AS project_created_at
  FROM alerts a JOIN projects p ON p.id = a.project_id
  WHERE a.is_enabled AND a.deleted_at IS NULL
    -- Demo projects without new visits would trigger alerts about their absence.
    AND NOT EXISTS (SELECT FROM demo_loads d WHERE d.project_id = p.id AND (d.done < 1 OR NOT d.is_live))`;

/**
 * Selects hosts whose robots.txt has been unavailable for the entire window. Either it returned a server error, or it
 * no longer exists.
 */
const ROBOTS_MISSING_QUERY = `
  SELECT r.id AS alert_id, v.host AS subject, at, until, 0::float8 AS value, NULL::float8 AS usual
  FROM jsonb_to_recordset($3::jsonb) AS r (id uuid, project_id uuid, window_minutes integer),
    LATERAL (
      SELECT host, served_from, served_until FROM robots_versions v
      WHERE project_id = r.project_id AND digest IS NULL AND (
        status >= 500 OR EXISTS (
          SELECT FROM robots_versions b
          WHERE b.project_id = v.project_id AND b.host = v.host AND b.served_from < v.served_from AND b.digest IS NOT NULL
        )
      )
      OFFSET 0
    ) v,
    LATERAL (
      SELECT min(at) AS at, max(at) AS until FROM generate_series($1::timestamptz, $2::timestamptz, interval '15 minutes') at
      WHERE v.served_from <= at - make_interval(mins => r.window_minutes) AND (v.served_until IS NULL OR v.served_until > at)
    ) times
  WHERE at IS NOT NULL
  LIMIT $4`;

/**
 * Selects the indexes of conditions whose alert already fired for the same subject, at most 15 minutes earlier or at
 * any later time.
 */
const FIRED_QUERY = `
  SELECT met.index FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS met (alert_id, subject, at, index)
  WHERE EXISTS (
    SELECT FROM alert_events e
    WHERE e.alert_id = met.alert_id AND e.subject = met.subject AND e.fired_at > met.at - interval '15 minutes'
  )`;

@Injectable()
export class ConditionsRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly counted: AlertConditionsRepository,
  ) {}

  /** Returns the conditions of enabled alerts that are met at the given time. */
  async findMetConditions(transaction: EntityManager, at: Date): Promise<MetCondition[]> {
    const alerts: WatchedAlert[] = await transaction.query(ENABLED_ALERTS_QUERY);
    const met = await this.evaluateConditions(alerts, { first: at, last: at, limit: null });
    const kinds = new Map(alerts.map(({ id, kind }) => [id, kind]));
    const isNewAgent = ({ alert_id: id }: MetCondition) => kinds.get(id) === 'new_agent';
    const newAgents = await dropReported(transaction, met.filter(isNewAgent));
    return [...met.filter((one) => !isNewAgent(one)), ...newAgents];
  }

  /**
   * Returns the times at which the condition of an unsaved alert was met, oldest first, and the measured values.
   * `alert_id` is set to the project's ID.
   *
   * @returns Null if the condition was met more than `limit` times.
   */
  async preview(
    projectId: string,
    condition: Condition,
    { snapshot, limit, ...range }: EvaluationRange & { limit: number; snapshot: Snapshot },
  ): Promise<{ met: MetCondition[]; values: MeasuredValue[] } | null> {
    const [project]: { created_at: Date }[] = await this.dataSource.query(
      `SELECT ${CREATED_AT} AS created_at FROM projects p WHERE id = $1`,
      [projectId],
    );
    if (project === undefined) return { met: [], values: [] };
    const ids = { id: projectId, project_id: projectId };
    const alert = { ...condition, ...ids, watched_since: null, project_created_at: project.created_at };
    const limited = { ...range, limit: limit + 1 };
    const agents: ScopedAgent[] = await this.dataSource.query(CATALOG_QUERY);
    const { met, values } = (await this.counted.preview(alert, agents, limited, snapshot)) ?? {
      met: await this.evaluateConditions([alert], limited, snapshot),
      values: [],
    };
    if (met.reduce((sum, one) => sum + countTimes(one), 0) > limit) return null;
    return { met: met.flatMap(listTimes).toSorted((one, two) => one.at.getTime() - two.at.getTime()), values };
  }

  private async evaluateConditions(
    alerts: WatchedAlert[],
    range: EvaluationRange,
    snapshot?: Snapshot,
  ): Promise<MetCondition[]> {
    if (alerts.length === 0) return [];
    const agents: ScopedAgent[] = await this.dataSource.query(CATALOG_QUERY);
    const counted = await this.counted.findMetConditions(alerts, agents, range, snapshot);
    const robots = JSON.stringify(alerts.filter(({ kind }) => kind === 'robots_missing'));
    const { first, last, limit } = range;
    return [...counted, ...(await this.dataSource.query(ROBOTS_MISSING_QUERY, [first, last, robots, limit]))];
  }
}

const countTimes = ({ at, until }: MetCondition): number => (until.getTime() - at.getTime()) / QUARTER_MS + 1;

/** Returns a condition for each evaluation time. */
const listTimes = (met: MetCondition): MetCondition[] =>
  Array.from({ length: countTimes(met) }, (_, index) => {
    const at = new Date(met.at.getTime() + index * QUARTER_MS);
    return { ...met, at, until: at };
  });

/**
 * Drops conditions for which the alert already has an event with the same subject. They were met again only because
 * some visits were counted late.
 */
async function dropReported(transaction: EntityManager, met: readonly MetCondition[]): Promise<MetCondition[]> {
  if (met.length === 0) return [];
  const rows: { index: string }[] = await transaction.query(FIRED_QUERY, [
    met.map(({ alert_id: id }) => id),
    met.map(({ subject }) => subject),
    met.map(({ at }) => at),
  ]);
  const fired = new Set(rows.map(({ index }) => Number(index)));
  return met.filter((_, index) => !fired.has(index + 1));
}
