import { Injectable } from '@nestjs/common';
import {
  AUTOMATION_VERDICTS,
  getFirstIdAt,
  JOURNEY_TYPES,
  MAX_JOURNEY_PATH_LENGTH,
  toKindBits,
  type AgentType,
  type TimelineCursor,
} from '#libs/contracts';
import { CLIENT_ADDRESS } from './client-address.sql.js';
import { readAsColumns } from './read-as-columns.js';
import { select, type Snapshot } from './snapshot.js';
import { toSqlConditions } from './timeline-filters.js';

/** Visit of a visitor that has sessions. */
export interface JourneyVisit {
  id: string;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  agent_id: string | null;
  agent_type: string | null;
  operator: string | null;
  result: string;
  /** Path with the query, truncated to {@link MAX_JOURNEY_PATH_LENGTH} characters. */
  path: string;
  status: number | null;
  kinds: number;
  client_address: string | null;
  user_agent_group: number | null;
  /** ID of the key that signed the request. Null if no signature was verified. */
  signature_key: string | null;
}

/** Restricts the visitors whose visits are read. Null includes all of them. */
export interface JourneyVisitors {
  /** Agent tokens or IDs. */
  agents: readonly string[] | null;
  types: readonly AgentType[] | null;
  /** Network in CIDR notation. */
  network: string | null;
  /** Includes only unknown visitors. */
  isUnknown: boolean;
}

export interface JourneyRead {
  /** Position to read from. `<` and `<=` read visits from newest to oldest, and `>` and `>=` from oldest to newest. */
  start: TimelineCursor;
  /** Last time to read, in milliseconds since the epoch. */
  end: number;
  /** Maximum number of visits to return. */
  limit: number;
  visitors: JourneyVisitors;
  /** IDs of agents that can sign requests. Other agents' visits have no signature keys. */
  signers: readonly string[];
}

export type JourneyPosition = Pick<TimelineCursor, 'occurredAt' | 'id'>;

export interface JourneyVisitPage {
  /** In the order in which they were read. */
  visits: JourneyVisit[];
  /** Position of the last visit that was searched. Null if no visits follow before the end. */
  searchedTo: JourneyPosition | null;
}

export interface JourneyVisitDetails {
  method: string;
  user_agent_group: string | null;
}

/** Maximum number of visits to search per read. Without a limit, a read could search all visits if few match. */
const MAX_SEARCHED_VISITS = 20_000;
const PAGE = toKindBits(['page']);
const UNLIKELY = AUTOMATION_VERDICTS.indexOf('unlikely') + 1;

/**
 * SQL condition for visits of visitors that have sessions: user-triggered agents, senders of protocol messages, and
 * programs.
 */
export const haveSessions = (types: string, isOneOf: (column: string, list: string) => string): string =>
  `(${isOneOf('agent_type', types)} OR kinds <> ${PAGE} OR (agent_id IS NULL AND automation < ${UNLIKELY}))`;

const COLUMNS = ['id', 'agent_id', 'agent_type', 'operator', 'result', 'status', 'kinds', 'user_agent_group'] as const;

/** Reads visits to divide into sessions. */
@Injectable()
export class JourneyVisitsRepository {
  async read(snapshot: Snapshot, projectId: string, read: JourneyRead): Promise<JourneyVisitPage> {
    const { start, end, limit, visitors, signers } = read;
    const parameters: unknown[] = [];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const isBackward = start.side.startsWith('<');
    const [first, last] = isBackward ? [end, start.occurredAt] : [start.occurredAt, end];
    const order = isBackward ? 'v.occurred_at DESC, v.id DESC' : 'v.occurred_at, v.id';
    const at = (time: number): string => `to_timestamp(${bind(time)}::float8 / 1000)`;
    const conditions = [
      `project_id = ${bind(projectId)}`,
      `occurred_at >= ${at(first)} AND occurred_at <= ${at(last)}`,
      // Visits are received after they occur, so older partitions can be skipped.
      `id >= ${bind(getFirstIdAt(first))}::uuid`,
      `(occurred_at, id) ${start.side} (${at(start.occurredAt)}, ${bind(start.id)}::uuid)`,
      ...toSqlConditions({ agent: visitors.agents && [...visitors.agents] }, bind),
      ...(visitors.isUnknown ? ['agent_id IS NULL'] : []),
      ...(visitors.network === null ? [] : [`${CLIENT_ADDRESS}::inet <<= ${bind(visitors.network)}::inet`]),
    ];
    const isMatch = [
      haveSessions(bind(JOURNEY_TYPES), (column, list) => `coalesce(${column} = ANY (${list}::text[]), false)`),
      ...toSqlConditions({ type: visitors.types && [...visitors.types] }, bind),
    ].join(' AND ');
    // Reads the tables instead of the view. The view's documents would be assembled for all visits that are searched.
    // ORDER BY refers to the tables' columns. Sorting by the selected columns would read all visits before the limit.
    const rows = await readAsColumns<JourneyVisit & { number: number; is_match: boolean }>(
      snapshot,
      [...COLUMNS, 'occurred_at', 'path', 'client_address', 'signature_key', 'number', 'is_match'],
      `SELECT ${COLUMNS.join(', ')}, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_at,
         left(path, ${MAX_JOURNEY_PATH_LENGTH}) AS path, ${CLIENT_ADDRESS} AS client_address, number, is_match,
         CASE WHEN result = 'verified' AND agent_id = ANY (${bind(signers)}::uuid[])
           THEN ${SIGNATURE_KEY} END AS signature_key
       FROM (
         SELECT *, coalesce(${isMatch}, false) AS is_match, row_number() OVER (ORDER BY ${order}) AS number
         FROM (
           SELECT id, project_id, occurred_at, agent_id, agent_type, operator, result, path, status, kinds, document, form,
             NULL::smallint AS automation, NULL::integer AS user_agent_group
           FROM visits
           UNION ALL
           SELECT id, project_id, occurred_at, NULL, NULL, NULL, 'unknown_agent', path, status, kinds, document, form,
             automation, user_agent_group
           FROM unknown_visits
         ) v WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${MAX_SEARCHED_VISITS}
       ) v WHERE is_match OR number = ${MAX_SEARCHED_VISITS} ORDER BY ${order} LIMIT ${limit}`,
      parameters,
    );
    const lastRow = rows.at(-1);
    const isComplete = lastRow === undefined || (rows.length < limit && lastRow.number < MAX_SEARCHED_VISITS);
    return {
      visits: rows.filter(({ is_match: isMatching }) => isMatching),
      searchedTo: isComplete ? null : { occurredAt: lastRow.occurred_at, id: lastRow.id },
    };
  }

  /** Returns a visit's time, or null if the visit isn't stored. */
  async findTime(snapshot: Snapshot, projectId: string, id: string): Promise<number | null> {
    const [row] = await select<{ occurred_at: number }>(
      snapshot,
      `SELECT (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_at
       FROM visits_full WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row?.occurred_at ?? null;
  }

  /** Returns details of visits by their IDs. */
  async findDetails(
    snapshot: Snapshot,
    visits: readonly Pick<JourneyVisit, 'id' | 'occurred_at'>[],
  ): Promise<ReadonlyMap<string, JourneyVisitDetails>> {
    const rows = await select<JourneyVisitDetails & { id: string }>(
      snapshot,
      `SELECT id, document #>> '{visit,request_method}' AS method,
         document #>> '{automation,user_agent_group}' AS user_agent_group
       FROM visits_full WHERE id = ANY ($1::uuid[])`,
      [visits.map(({ id }) => id)],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/**
 * Text that contains the steps of the identification. Doesn't contain values of headers, which visitors choose: in a form
 * they are placeholders. The steps of an earlier identification follow later.
 */
const STEPS = `CASE WHEN form IS NULL THEN document #>> '{identification,evidence,steps}'
  ELSE (SELECT split_part(template, '"reidentified":{', 1) FROM visit_forms f WHERE f.id = form) END`;

/** Key of a verified signature. Within a JSON string, the quotes would be escaped. Regular expressions are much slower. */
const SIGNATURE_KEY = `nullif(split_part(split_part(split_part(split_part(
  ${STEPS}, '"method":"http_message_signature","outcome":"verified"', 2), '}', 1), '"key_id":"', 2), '"', 1), '')`;
