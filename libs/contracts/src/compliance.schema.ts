import { Type, type Static } from 'typebox';
import { agentNames } from './statistics.schema.js';

/**
 * Dimensions of the compliance report. Their values consist of the parts in brackets. Visits that failed verification only
 * count in `judged`.
 */
export const COMPLIANCE_DIMENSIONS = {
  /** [agent, robots.txt verdict, identification result, {@link StatusGroup}] */
  judged: 'robots_agent',
  /** [agent, robots.txt version, line] of disallowed fetches. */
  lines: 'robots_line',
  /** [agent, path without query] of disallowed fetches. */
  pages: 'robots_page',
  /** [agent] of fetches of /robots.txt. */
  robotsFetches: 'robots_fetch',
  /** [agent, {@link StatusGroup}, path without query] of fetches of files meant for agents. */
  files: 'agent_file',
  /** [agent, {@link PaidCrawlOutcome}, price or error]. */
  paidCrawl: 'paid_crawl',
} as const;

/** Groups of response statuses. `403` is separate, because firewalls refuse requests with it. */
export type StatusGroup = 'served' | '403' | 'failed' | 'none';

const PAID_CRAWL_OUTCOMES = ['charged', 'refused', 'payment_required', 'offered'] as const;
export type PaidCrawlOutcome = (typeof PAID_CRAWL_OUTCOMES)[number];

/** Maximum number of lines and paths listed per agent. */
export const MAX_LISTED_OF_AGENT = 20;
/** Maximum length of a listed line in characters. A file can be a single line. */
export const MAX_LISTED_LINE_LENGTH = 2_000;
/** Maximum number of rows in the other lists. */
export const MAX_COMPLIANCE_ROWS = 500;
/** Maximum number of disallowed visits whose times are read, newest first. The others are only counted. */
export const MAX_COMPARED_VISITS = 2_000;
/** Maximum number of robots.txt fetches, by agent and quarter hour, to compare them with, newest first. */
export const MAX_ROBOTS_FETCHES = 4_000;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const LastTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const agentOf = {
  ...agentNames,
  is_user_triggered: Type.Boolean({
    description:
      'Whether this type of agent fetches on behalf of people. Operators state that robots.txt does not apply to these agents.',
  }),
};
const judged = {
  allowed: Count('Visits allowed by robots.txt'),
  disallowed: Count('Visits disallowed by robots.txt'),
  no_rules: Count('Visits while the site had no robots.txt (4xx), which allows everything'),
  unreachable: Count('Visits while robots.txt failed with an error (5xx), which disallows everything (RFC 9309)'),
  unknown: Count('Visits while no robots.txt version was known'),
};

const LineSchema = Type.Object({
  version: Type.String({ format: 'uuid', description: 'ID of the robots.txt version in force' }),
  line: Type.Integer({ minimum: 1, description: 'Number of the disallowing line' }),
  text: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `First ${MAX_LISTED_LINE_LENGTH} characters of the line, or null if the version was deleted`,
  }),
  visits: Count('Visits disallowed by the line'),
});

const ComplianceAgentSchema = Type.Object(
  {
    ...agentOf,
    ...judged,
    disallowed_verified: Count('Disallowed visits that passed verification'),
    disallowed_served: Count('Disallowed visits with a status below 400: nothing enforced the rules'),
    disallowed_forbidden: Count('Disallowed visits with status 403: something enforced the rules'),
    allowed_forbidden: Count('Allowed visits with status 403, which contradicts robots.txt'),
    spoofed: Count('Visits that failed verification as this agent. Not included in the other numbers.'),
    spoofed_disallowed: Count('Disallowed visits among `spoofed`'),
    first_disallowed_at: LastTime(
      'Time of the first disallowed visit. If `is_sampled`, rounded down to a quarter hour or a day (UTC).',
    ),
    last_disallowed_at: LastTime('Time of the last disallowed visit, as precise as the first'),
    last_robots_fetch_at: LastTime(
      'Time of the last /robots.txt fetch in the range or the day before, to the quarter hour, or to the day (UTC) if there are many. Null if there is none.',
    ),
    read_before: Type.Object(
      {
        visits: Count('Disallowed visits less than 24 hours after a fetch of /robots.txt'),
        of: Count('Disallowed visits that were examined'),
      },
      {
        description: `Based on the newest ${MAX_COMPARED_VISITS} disallowed visits, and the newest ${MAX_ROBOTS_FETCHES} fetches by agent and quarter hour`,
      },
    ),
  },
  { $id: 'ComplianceAgent' },
);

export const DisregardedSchema = Type.Object(
  {
    lines: Type.Array(LineSchema, { maxItems: MAX_LISTED_OF_AGENT, description: 'Most visits first' }),
    paths: Type.Array(
      Type.Object({ path: Type.String({ description: 'Path without the query' }), visits: Count('Disallowed visits') }),
      { maxItems: MAX_LISTED_OF_AGENT, description: 'Most visits first' },
    ),
  },
  { $id: 'Disregarded', description: 'Visits that failed verification are not included' },
);

export const ComplianceSchema = Type.Object(
  {
    from: Time('Start of the range, rounded down to a quarter hour'),
    to: Time('End of the range (exclusive), rounded up to a quarter hour'),
    totals: Type.Object(
      {
        ...judged,
        disallowing_agents: Count('Agents with at least one disallowed visit'),
        disallowed_served: Count('Disallowed visits with a status below 400'),
        disallowed_forbidden: Count('Disallowed visits with status 403'),
        allowed_forbidden: Count('Allowed visits with status 403'),
        user_triggered: Count('Visits of agents that fetch on behalf of people. Not included in the other numbers.'),
        user_triggered_disallowed: Count('Disallowed visits among `user_triggered`'),
        spoofed: Count('Visits that failed verification. Not included in the other numbers.'),
        spoofed_disallowed: Count('Disallowed visits among `spoofed`'),
        other: Count('Visits beyond the limits of the counts, whose agents are unknown'),
      },
      { description: 'Totals for agents that robots.txt applies to, unless noted otherwise' },
    ),
    agents: Type.Array(ComplianceAgentSchema, { description: 'Most disallowed visits first' }),
    files: Type.Array(
      Type.Object({
        ...agentOf,
        path: Type.String({ description: '/robots.txt, /llms.txt, /llms-full.txt, or a path in /.well-known/' }),
        visits: Count('Fetches'),
        served: Count('Fetches with a status below 400'),
        failed: Count('Fetches with a status of 400 or above'),
      }),
      { maxItems: MAX_COMPLIANCE_ROWS, description: 'Most fetches first' },
    ),
    paid_crawl: Type.Array(
      Type.Object({
        ...agentOf,
        outcome: Type.Unsafe<PaidCrawlOutcome>({
          type: 'string',
          enum: [...PAID_CRAWL_OUTCOMES],
          description:
            '`charged`: the response contained `crawler-charged`. `refused`: the response contained `crawler-error`. `payment_required`: status 402. `offered`: the agent offered to pay, and the response did not mention it.',
        }),
        detail: Type.String({ description: 'Price or error. Empty if the response has neither.' }),
        visits: Count('Visits'),
      }),
      { maxItems: MAX_COMPLIANCE_ROWS, description: 'Most visits first' },
    ),
    is_sampled: Type.Boolean({
      description: `Whether there were more than ${MAX_COMPARED_VISITS} disallowed visits, so times and \`read_before\` are based on the newest`,
    }),
  },
  { $id: 'Compliance', description: 'Based on the robots.txt version in force at the time of each visit' },
);

export type Compliance = Static<typeof ComplianceSchema>;
export type ComplianceAgent = Static<typeof ComplianceAgentSchema>;
export type Disregarded = Static<typeof DisregardedSchema>;
