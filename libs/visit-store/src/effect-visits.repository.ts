import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type HeaderValue } from '#libs/contracts';
import { CLIENT_ADDRESS } from './client-address.sql.js';
import { readAsColumns, readColumns } from './read-as-columns.js';
import { timestamp } from './rollups.js';
import { selectHeaders } from './select-headers.js';
import { select, type Snapshot } from './snapshot.js';
import type { TimeRange } from './time-range.js';
import { hasDecision } from './timeline-filters.js';

/** Visit that a rule acted on. */
export interface ActedVisit {
  id: string;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  agent_id: string | null;
  operator: string | null;
  result: string;
  client_address: string | null;
  path: string;
  /** Decisions of the policy, as in the response header. */
  decisions: string;
  /** Headers of the request from {@link BROWSER_HEADERS}. Null for agents. */
  request_headers: Record<string, HeaderValue> | null;
  /** Headers of the response from {@link RETRY_HEADERS}. */
  response_headers: Record<string, HeaderValue> | null;
}

export interface EffectRead extends TimeRange {
  /** Texts, one of which the visit's decisions contain. */
  decisions: readonly string[];
}

/** A visit and the next one of the same visitor. */
export interface NextVisit {
  id: string;
  next_id: string;
  /** Milliseconds since the epoch. */
  next_at: number;
}

/** Visitors that visits are compared with. Agents whose verification failed and unknown visitors have one identity per address. */
export interface EffectVisitors {
  agents: readonly string[];
  /** Addresses of unknown visitors. */
  addresses: readonly string[];
}

/** Condition for paths that rules can block. Works in both databases. */
export const CAN_BE_BLOCKED = `path NOT LIKE '/robots.txt%' AND path NOT LIKE '/.well-known/%'`;

/** Newest responses with status 2xx to an agent, or to those who claim to be the agent. */
export interface ServedResponses {
  agent_id: string;
  is_spoofed: boolean;
  responses: number;
  /** Median size, or null if no size was reported. */
  bytes: number | null;
  /** Median time in microseconds, or null if no time was reported. */
  microseconds: number | null;
}

/** Headers that all current browsers send over HTTPS. */
export const BROWSER_HEADERS = ['user-agent', 'accept', 'accept-language', 'accept-encoding', 'sec-fetch-mode'];
/** Headers that determine when the visitor may come back. */
export const RETRY_HEADERS = ['retry-after', 'date'];
/** Maximum length of a header value as JSON, in characters or bytes. Headers with longer values are omitted. */
export const MAX_EFFECT_HEADER_LENGTH = 2_000;

/** Reads visits that a rule acted on, and what those visitors did next. */
@Injectable()
export class EffectVisitsRepository {
  /** Returns visits with one of the decisions, newest first. */
  async acted(snapshot: Snapshot, projectId: string, read: EffectRead, limit: number): Promise<ActedVisit[]> {
    const { parameters, bind, conditions } = start(projectId, read);
    const columns = {
      id: 'id',
      occurred_at: 'floor(extract(epoch FROM occurred_at) * 1000)',
      agent_id: 'agent_id',
      operator: 'operator',
      result: 'result',
      client_address: 'client_address',
      path: 'path',
      decisions: 'decisions',
      request_headers: `CASE WHEN agent_id IS NULL THEN
        ${selectHeaders(`document #> '{visit,request_headers}'`, BROWSER_HEADERS, MAX_EFFECT_HEADER_LENGTH)} END`,
      response_headers: selectHeaders(
        `document #> '{visit,response_headers}'`,
        RETRY_HEADERS,
        MAX_EFFECT_HEADER_LENGTH,
      ),
    };
    return readColumns<ActedVisit>(
      snapshot,
      columns,
      `FROM (
         SELECT * FROM visits_full WHERE ${conditions.join(' AND ')} AND ${hasDecision(read.decisions).sql(bind)}
         ORDER BY occurred_at DESC, id DESC LIMIT ${limit}
       ) visit ORDER BY visit.occurred_at DESC, visit.id DESC`,
      parameters,
    );
  }

  /** Returns the visits with one of the decisions after which the same visitor came back within the range. */
  async next(
    snapshot: Snapshot,
    projectId: string,
    read: EffectRead,
    { agents, addresses }: EffectVisitors,
  ): Promise<NextVisit[]> {
    const { parameters, bind, conditions } = start(projectId, read);
    const where = conditions.join(' AND ');
    return readAsColumns<NextVisit>(
      snapshot,
      ['id', 'next_id', 'next_at'],
      `SELECT id, next_id, floor(extract(epoch FROM next_occurred_at) * 1000) AS next_at
       FROM (
         SELECT id, decisions, lead(id) OVER visitor AS next_id, lead(occurred_at) OVER visitor AS next_occurred_at
         FROM (
           SELECT id, occurred_at, decisions, agent_id, result = 'verification_failed' AS is_spoofed,
             CASE WHEN result = 'verification_failed' THEN ${CLIENT_ADDRESS} END AS address
           FROM visits WHERE ${where} AND agent_id = ANY (${bind(agents)}::uuid[])
           UNION ALL
           SELECT id, occurred_at, decisions, NULL, false, ${CLIENT_ADDRESS}
           FROM unknown_visits WHERE ${where} AND ${CLIENT_ADDRESS} = ANY (${bind(addresses)}::text[])
         ) visit
         WINDOW visitor AS (PARTITION BY agent_id, is_spoofed, address ORDER BY occurred_at, id)
       ) visit WHERE next_id IS NOT NULL AND ${hasDecision(read.decisions).sql(bind)}`,
      parameters,
    );
  }

  /**
   * Returns the median size and time of agents' newest served responses. Leaves out files that rules never block.
   *
   * @param limit Maximum number of responses per agent, or of those who claim to be the agent.
   */
  served(
    snapshot: Snapshot,
    projectId: string,
    { from, to }: TimeRange,
    agents: readonly string[],
    limit: number,
  ): Promise<ServedResponses[]> {
    return select(
      snapshot,
      `SELECT agent.id AS agent_id, identity.is_spoofed, count(*)::integer AS responses,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY response_bytes) AS bytes,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY response_us) AS microseconds
       FROM unnest($5::uuid[]) AS agent (id) CROSS JOIN (VALUES (false), (true)) AS identity (is_spoofed)
       CROSS JOIN LATERAL (
         SELECT response_bytes, response_us FROM visits
         WHERE project_id = $1 AND agent_id = agent.id AND occurred_at >= ${timestamp('$2')}
           AND occurred_at < ${timestamp('$3')} AND visits.id >= $4::uuid
           AND (result = 'verification_failed') = identity.is_spoofed AND status >= 200 AND status < 300
           AND ${CAN_BE_BLOCKED}
         ORDER BY occurred_at DESC, visits.id DESC LIMIT $6
       ) newest
       GROUP BY 1, 2 ORDER BY 1, 2`,
      [projectId, from, to, getFirstIdAt(from), agents, limit],
    );
  }
}

function start(projectId: string, { from, to }: TimeRange) {
  const parameters: unknown[] = [];
  const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
  const conditions = [
    `project_id = ${bind(projectId)}`,
    `occurred_at >= ${timestamp(bind(from))} AND occurred_at < ${timestamp(bind(to))}`,
    // Visits are received after they occur, so older partitions can be skipped.
    `id >= ${bind(getFirstIdAt(from))}::uuid`,
  ];
  return { parameters, bind, conditions };
}
