import { Injectable } from '@nestjs/common';
import {
  AlertConditionsRepository,
  type MetCondition,
  type ScopedAgent,
  type Snapshot,
  type WatchedAlert,
} from '#libs/visit-store';
import { DataSource, type EntityManager } from 'typeorm';

type Condition = Omit<WatchedAlert, 'id' | 'project_id' | 'watched_since' | 'project_created_at'>;

/** `jsonb_to_record` decompresses each agent, with its address ranges, only once. `->>` would do so for every field. */
const CATALOG = `SELECT id, r.type, r.operator FROM (SELECT id, coalesce(own, bundled, feed) AS agent FROM agents OFFSET 0) a,
  jsonb_to_record(agent) AS r (type text, operator text)`;

const WATCHED = `
  SELECT a.id, a.project_id, a.kind, a.agent_id, a.agent_type, a.operator, a.threshold, a.minimum, a.window_minutes,
    coalesce(a.watched_since, a.created_at) AS watched_since, p.created_at AS project_created_at
  FROM alerts a JOIN projects p ON p.id = a.project_id WHERE a.is_enabled AND NOT p.is_demo`;

/**
 * Hosts whose robots.txt has failed with a server error, or has been missing after it existed, for the entire window.
 */
const ROBOTS_MISSING = `
  SELECT r.id AS alert_id, v.host AS subject, at, 0::float8 AS value, NULL::float8 AS usual
  FROM jsonb_to_recordset($3::jsonb) AS r (id uuid, project_id uuid, window_minutes integer)
    JOIN robots_versions v ON v.project_id = r.project_id AND v.digest IS NULL,
    generate_series($1::timestamptz, $2::timestamptz, interval '15 minutes') at
  WHERE v.served_from <= at - make_interval(mins => r.window_minutes) AND (v.served_until IS NULL OR v.served_until > at) AND (
    v.status >= 500 OR EXISTS (
      SELECT FROM robots_versions b
      WHERE b.project_id = v.project_id AND b.host = v.host AND b.served_from < v.served_from AND b.digest IS NOT NULL
    )
  )`;

/**
 * Positions of the conditions whose alert has an event for the same subject that fired up to 15 minutes earlier, or
 * later.
 */
const FIRED = `
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

  async met(transaction: EntityManager, at: Date): Promise<MetCondition[]> {
    const alerts: WatchedAlert[] = await transaction.query(WATCHED);
    const met = await this.metBy(alerts, at, at);
    const kinds = new Map(alerts.map(({ id, kind }) => [id, kind]));
    const isOfNewAgent = ({ alert_id: id }: MetCondition) => kinds.get(id) === 'new_agent';
    const newAgents = await unreported(transaction, met.filter(isOfNewAgent));
    return [...met.filter((one) => !isOfNewAgent(one)), ...newAgents];
  }

  /** Returns when an alert's condition was met, oldest first. `alert_id` is the project's ID. */
  async preview(
    projectId: string,
    condition: Condition,
    { first, last, snapshot }: { first: Date; last: Date; snapshot: Snapshot },
  ): Promise<MetCondition[]> {
    const [project]: { created_at: Date }[] = await this.dataSource.query(
      `SELECT created_at FROM projects WHERE id = $1`,
      [projectId],
    );
    if (project === undefined) return [];
    const ids = { id: projectId, project_id: projectId };
    const alert = { ...condition, ...ids, watched_since: null, project_created_at: project.created_at };
    const met = await this.metBy([alert], first, last, snapshot);
    return met.toSorted((one, two) => one.at.getTime() - two.at.getTime());
  }

  private async metBy(alerts: WatchedAlert[], first: Date, last: Date, snapshot?: Snapshot): Promise<MetCondition[]> {
    if (alerts.length === 0) return [];
    const agents: ScopedAgent[] = await this.dataSource.query(CATALOG);
    const counted = await this.counted.met(alerts, agents, { first, last }, snapshot);
    const robots = alerts.filter(({ kind }) => kind === 'robots_missing');
    return [...counted, ...(await this.dataSource.query(ROBOTS_MISSING, [first, last, JSON.stringify(robots)]))];
  }
}

/** Drops conditions that already have an event for the same alert and subject: their visits were only counted late. */
async function unreported(transaction: EntityManager, met: readonly MetCondition[]): Promise<MetCondition[]> {
  if (met.length === 0) return [];
  const rows: { index: string }[] = await transaction.query(FIRED, [
    met.map(({ alert_id: id }) => id),
    met.map(({ subject }) => subject),
    met.map(({ at }) => at),
  ]);
  const fired = new Set(rows.map(({ index }) => Number(index)));
  return met.filter((_, index) => !fired.has(index + 1));
}
