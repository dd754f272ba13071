import { Type, type Static } from 'typebox';
import { AGENT_TYPES, isUserTriggered, type AgentType } from './agent-type.js';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { agentNames, bucketTime, countedRange } from './statistics.schema.js';
import { VISIT_KINDS, type VisitKind } from './visit.schema.js';

/** A longer pause between two visits of a visitor starts a new session. */
export const SESSION_GAP_MS = 1_800_000;
/** Maximum number of visits per session, and its maximum length in milliseconds. Earlier visits are left out. */
export const MAX_SESSION_VISITS = 1_000;
export const MAX_SESSION_MS = 86_400_000;
/** Minimum number of requests for the same path and query that make a loop. */
export const LOOP_REQUESTS = 3;
/** Maximum number of rows in each top list. */
export const MAX_JOURNEY_PAGES = 50;
/** Maximum number of characters of a path. Longer ones are truncated. */
export const MAX_JOURNEY_PATH_LENGTH = 500;

/** Types of agents that have sessions: those that act at a person's request. */
export const JOURNEY_TYPES: readonly AgentType[] = AGENT_TYPES.filter(isUserTriggered);

export const JOURNEY_VISITORS = ['assistant', 'coding_agent', 'mcp_client', 'unknown'] as const;
/** Kind of visitor that has sessions. Visitors that send MCP messages are MCP clients, whatever their agent type. */
export type JourneyVisitor = (typeof JOURNEY_VISITORS)[number];

const VISITOR_DISTINCTIONS = ['signature_key', 'network', 'none'] as const;
/** Property that distinguishes a visitor from others with the same agent. */
export type VisitorDistinction = (typeof VISITOR_DISTINCTIONS)[number];

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullableText = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const journeyFields = {
  id: Type.String({ format: 'uuid', description: "ID of the session's last visit" }),
  visitor: Type.Unsafe<JourneyVisitor>({ type: 'string', enum: [...JOURNEY_VISITORS], description: 'Kind of visitor' }),
  ...agentNames,
  agent_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Agent ID. Null for unknown visitors.',
  }),
  user_agent_group: nullableText(
    "Unknown program's User-Agent without versions. Null for agents, or if there is none.",
  ),
  result: Type.Unsafe<IdentificationResult>({
    type: 'string',
    enum: [...IDENTIFICATION_RESULTS],
    description: "Identification result of the session's last visit",
  }),
  distinguished_by: Type.Unsafe<VisitorDistinction>({
    type: 'string',
    enum: [...VISITOR_DISTINCTIONS],
    description:
      'How the visitor was distinguished from others with the same agent or User-Agent. `none` means neither a signature nor an address is stored, so several visitors can share the session.',
  }),
  network: nullableText(
    'Network of the client address: /24 for IPv4, /48 for IPv6. Null if the visitor was distinguished in another way.',
  ),
  started_at: Time('Time of the first visit'),
  ended_at: Time('Time of the last visit'),
  duration_ms: Count('Time from the first to the last visit in milliseconds'),
  started_earlier: Type.Boolean({
    description: `Whether the session began, or may have begun, before \`started_at\`. At most its last ${MAX_SESSION_VISITS} visits within 24 hours are read.`,
  }),
  visits: Count('Number of visits'),
  entry: nullableText('First page. Null if `started_earlier` is set.'),
  exit: Type.String({ description: 'Last page' }),
  client_errors: Count('Number of visits with a 4xx status, without refused ones'),
  server_errors: Count('Number of visits with a 5xx status, without refused ones'),
  refused_visits: Count(
    'Number of visits refused on purpose: with status 402, 429 or 451, or errors for paths that vulnerability scanners request',
  ),
  loops: Count(`Number of paths that were requested ${LOOP_REQUESTS} times or more, with the same query`),
  checkout_visits: Count('Number of visits with ACP or UCP checkout messages'),
};

export const JourneysSchema = Type.Object(
  {
    from: Time('Start of the range (inclusive)'),
    to: Time('End of the range (exclusive)'),
    searched_from: Time('Time up to which sessions were searched. Sessions that ended earlier are on the next pages.'),
    journeys: Type.Array(Type.Object(journeyFields), { description: 'Sessions, most recently ended first' }),
    next_cursor: nullableText('Cursor of the next page. Null if this is the last page.'),
  },
  { $id: 'Journeys' },
);

export const JourneySchema = Type.Object(
  {
    ...journeyFields,
    steps: Type.Array(
      Type.Object({
        visit_id: Type.String({ format: 'uuid', description: 'Visit ID' }),
        occurred_at: Time('Time of the visit'),
        gap_ms: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 0,
          description: 'Time since the previous visit in milliseconds. Null for the first visit.',
        }),
        method: Type.String({ description: 'Request method' }),
        path: Type.String({
          description: `Request path with the query, truncated to ${MAX_JOURNEY_PATH_LENGTH} characters`,
        }),
        status: Type.Unsafe<number | null>({
          type: ['number', 'null'],
          description: 'Response status. Null if not reported.',
        }),
        kinds: Type.Array(Type.Unsafe<VisitKind>({ type: 'string', enum: [...VISIT_KINDS] }), {
          description: 'Kinds of the visit',
        }),
        is_loop: Type.Boolean({
          description: `Whether the session requested the path ${LOOP_REQUESTS} times or more, with the same query`,
        }),
      }),
      { description: 'Visits, oldest first' },
    ),
  },
  { $id: 'Journey' },
);

const JourneyPages = (description: string) =>
  Type.Array(
    Type.Object({
      page: Type.String({ description: 'Page' }),
      sessions: Count('Number of sessions'),
    }),
    { maxItems: MAX_JOURNEY_PAGES, description },
  );

const DeadEndKindSchema = Type.Unsafe<DeadEndKind>({
  type: 'string',
  enum: ['status', 'loop'],
  description: `\`status\` means an error status was returned. \`loop\` means a path was requested ${LOOP_REQUESTS} times or more, with the same query.`,
});
const DeadEndStatusSchema = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'Error status. Null for loops.',
});

export const JourneySummarySchema = Type.Object(
  {
    ...countedRange,
    computed_from: Time(
      'Start of the period that the numbers cover. Later than `from` if there are too many visits, in which case only the newest are read.',
    ),
    sessions: Count('Number of sessions that ended in the period'),
    visitors: Count('Number of visitors with a session'),
    dead_end_sessions: Count('Number of sessions with a 4xx or 5xx status or a loop, without refused visits'),
    refused_sessions: Count('Number of sessions without a dead end, but with a visit that was refused on purpose'),
    checkout_sessions: Count('Number of sessions with ACP or UCP checkout messages'),
    undistinguished_sessions: Count(
      'Number of sessions in which several visitors can be mixed, because neither a signature nor an address is stored',
    ),
    median_duration_ms: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Median duration of the sessions in milliseconds. Null if there are none.',
    }),
    series: Type.Array(
      Type.Object({
        time: bucketTime,
        sessions: Count('Number of sessions that ended in the bucket'),
        dead_end_sessions: Count('Number of those with a 4xx or 5xx status or a loop, without refused visits'),
        client_error_sessions: Count('Number of those with a 4xx status, without refused visits'),
        server_error_sessions: Count('Number of those with a 5xx status, without refused visits'),
      }),
      { description: 'Sessions over time' },
    ),
    entries: JourneyPages('Pages on which most sessions started'),
    exits: JourneyPages('Pages on which most sessions ended'),
    dead_ends: Type.Array(
      Type.Object({
        page: Type.String({ description: 'Page' }),
        kind: DeadEndKindSchema,
        status: DeadEndStatusSchema,
        sessions: Count('Number of sessions'),
      }),
      { maxItems: MAX_JOURNEY_PAGES, description: 'Dead ends that most sessions reached' },
    ),
    dead_end_causes: Type.Array(
      Type.Object({
        kind: DeadEndKindSchema,
        status: DeadEndStatusSchema,
        sessions: Count('Number of sessions'),
        pages: Count('Number of pages'),
      }),
      { maxItems: MAX_JOURNEY_PAGES, description: 'Causes of dead ends on all pages, by number of sessions' },
    ),
    before_checkout: JourneyPages('Pages that most sessions requested before their first checkout message'),
  },
  { $id: 'JourneySummary' },
);

export type DeadEndKind = 'status' | 'loop';
export type Journey = Static<typeof JourneySchema>;
export type Journeys = Static<typeof JourneysSchema>;
export type JourneySummary = Static<typeof JourneySummarySchema>;
