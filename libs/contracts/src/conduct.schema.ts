import { METHODS, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { agentNames } from './statistics.schema.js';

/** Maximum number of agents per report, and of days per agent. */
export const MAX_CONDUCT_AGENTS = 20;
export const MAX_CONDUCT_DAYS = 31;
/** Maximum number of visits to read per report. */
export const MAX_CONDUCT_VISITS = 30_000;

/**
 * Figures of a day that are worth highlighting. Each has a rule in the console's `conduct/highlights.ts`.
 */
const CONDUCT_HIGHLIGHTS = [
  'disallowed',
  'robots_not_fetched',
  'crawl_delay',
  'retry_after',
  'refetches',
  'peak',
] as const;
export type ConductHighlight = (typeof CONDUCT_HIGHLIGHTS)[number];

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const NullableCount = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description });
const Milliseconds = (description: string) => Type.Number({ minimum: 0, description });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const NullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const Host = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Requested host. Null if the source of the visits reports none.',
});
const nullableObject = <T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) =>
  Type.Union([Type.Object(properties), Type.Null()], { description });

const ConductDaySchema = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'UTC day' }),
    from: Time('Start of the day'),
    to: Time('End of the day (exclusive)'),
    is_so_far: Type.Boolean({ description: "Whether the day isn't over yet" }),
    visits: Count('Number of visits that the other figures are based on'),
    is_partial: Type.Boolean({ description: 'Whether the figures are based only on the first visits of the day' }),
    spoofed: Count('Number of visits that failed verification. Not included in the other figures.'),
    robots: Type.Object({
      judged: Count('Number of visits allowed or disallowed by robots.txt, or made while there was none'),
      disallowed: Count('Number of visits disallowed by robots.txt'),
      disallowed_for_a_day: Count(
        'Number of `disallowed` visits whose robots.txt version had been served for at least 24 hours, so that a crawler with a cached copy had the same version. Visits to hosts that responded to all recorded requests for /robots.txt with an error or status 202, on this day and the day before, are not included.',
      ),
    }),
    robots_fetch: nullableObject(
      {
        visits: Count('Number of visits for which it is known whether /robots.txt was requested before'),
        after_fetch: Count(
          'Number of these visits made within 24 hours after the agent, or another agent of its operator, requested /robots.txt from the host',
        ),
      },
      'Requests for /robots.txt before visits. Null if unknown because no such requests by the agent or its operator are recorded, or because the visits of the 24 hours before are not stored.',
    ),
    crawl_delay: nullableObject(
      {
        host: Host,
        requested_ms: Milliseconds(
          'Shortest `Crawl-delay` requested of the agent in the robots.txt versions of this day and the day before',
        ),
        gaps: Count(
          'Number of intervals between consecutive requests to the host, without those after redirects and those between HEAD and GET for the same path',
        ),
        median_gap_ms: Milliseconds('Median interval'),
        shorter_gaps: NullableCount(
          'Number of intervals shorter than 90% of the delay, minus the resolution. Null if the resolution is too coarse for the delay.',
        ),
        resolution_ms: Milliseconds(
          'Resolution of the times: 1000 if the source of the visits reports only whole seconds, otherwise 1',
        ),
      },
      'Intervals between requests to the host with the most intervals that were shorter than the requested delay. Null if robots.txt requested no delay, if the agent could not read robots.txt, if it made fewer than two requests to each host, or if the hosts are not reported and the project has several.',
    ),
    retry_after: Type.Object({
      responses: Count('Number of responses with status 429 or 503'),
      with_headers: Count('Number of these responses whose headers were reported'),
      with_retry_after: Count('Number of these responses with a valid `Retry-After` header'),
      early_requests: NullableCount(
        'Number of requests to the same host before the time in `Retry-After` had passed. Null if the hosts are not reported and the project has several.',
      ),
      first_early_at: NullableTime('Time of the first of these requests'),
      last_early_at: NullableTime('Time of the last of these requests'),
    }),
    refetches: Type.Object({
      requests: Count('Number of GET requests for a path that the agent had already requested from the host that day'),
      not_modified: Count('Number of these requests with status 304'),
      conditional: NullableCount(
        'Number of these requests with `If-None-Match`, `If-Modified-Since` or status 304. Null if the source of the visits reports no such headers.',
      ),
      cacheable: NullableCount(
        'Number of these requests that could have been conditional, because an earlier response had an `ETag` or `Last-Modified` header and could be stored. Null if `conditional` is null.',
      ),
      cacheable_conditional: NullableCount('Number of `cacheable` requests that were conditional'),
    }),
    peak: nullableObject(
      {
        requests: Count('Number of requests'),
        host: Host,
        from: Time('Start of the period'),
        to: Time('End of the period (exclusive)'),
      },
      'Most requests to one host in a period of 10 seconds. Null if the source of the visits reports no times, or no hosts and the project has several.',
    ),
    highlights: Type.Array(Type.Unsafe<ConductHighlight>({ type: 'string', enum: [...CONDUCT_HIGHLIGHTS] }), {
      description:
        'Figures that are worth highlighting. Always empty for agents that fetch pages on behalf of users, because crawling rules do not apply to them.',
    }),
  },
  { $id: 'ConductDay' },
);

const ConductAgentSchema = Type.Object(
  {
    ...agentNames,
    is_user_triggered: Type.Boolean({ description: 'Whether agents of this type fetch pages on behalf of users' }),
    agent_url: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: "URL of the operator's page about the agent. Null if unknown.",
    }),
    methods: Type.Array(
      Type.Unsafe<VerificationMethod>({ type: 'string', enum: Object.keys(METHODS) as VerificationMethod[] }),
      { description: 'Methods by which the agent can be verified, according to the catalog' },
    ),
    days: Type.Array(ConductDaySchema, {
      maxItems: MAX_CONDUCT_DAYS + 1,
      description: 'Days with visits, newest first',
    }),
  },
  { $id: 'ConductAgent' },
);

export const ConductSchema = Type.Object(
  {
    from: Time('Start of the time range, rounded down to a UTC day'),
    to: Time('End of the time range (exclusive), rounded up to a UTC day'),
    agents: Type.Array(ConductAgentSchema, {
      maxItems: MAX_CONDUCT_AGENTS,
      description: 'Agents with visits in the range, sorted by visits in descending order',
    }),
  },
  {
    $id: 'Conduct',
    description: 'How agents crawl a site, by agent and day. Visits that failed verification are not included.',
  },
);

export type Conduct = Static<typeof ConductSchema>;
export type ConductAgent = Static<typeof ConductAgentSchema>;
export type ConductDay = Static<typeof ConductDaySchema>;
