import { Type, type Static } from 'typebox';
import { agentNames } from './statistics.schema.js';

/**
 * What agents' visits are counted by for the report on compliance; the values have the parts in brackets. Visits that failed
 * verification are only in the first one.
 */
export const COMPLIANCE_DIMENSIONS = {
  /** [agent, verdict of robots.txt, result of the identification, {@link StatusGroup}] */
  judged: 'robots_agent',
  /** [agent, version of robots.txt, line], of disallowed fetches. */
  lines: 'robots_line',
  /** [agent, path without query], of disallowed fetches. */
  pages: 'robots_page',
  /** The agent alone, of fetches of /robots.txt. */
  robotsFetches: 'robots_fetch',
  /** [agent, {@link StatusGroup}, path without query], of fetches of files that are there for agents. */
  files: 'agent_file',
  /** [agent, {@link PaidCrawlOutcome}, price or error]. */
  paidCrawl: 'paid_crawl',
} as const;

/** Statuses that are counted together. `403` is apart: with it firewalls refuse. */
export type StatusGroup = 'served' | '403' | 'failed' | 'none';

/** What became of a fetch that was to be paid for. */
const PAID_CRAWL_OUTCOMES = ['charged', 'refused', 'payment_required', 'offered'] as const;
export type PaidCrawlOutcome = (typeof PAID_CRAWL_OUTCOMES)[number];

/** Lines and paths that are listed of an agent. */
export const MAX_LISTED_OF_AGENT = 20;
/** Characters of such a line: a file can be a single line. */
export const MAX_LISTED_LINE_LENGTH = 2_000;
/** Rows of the other lists. */
export const MAX_COMPLIANCE_ROWS = 500;
/** Disallowed visits whose times are read, the newest; counts have the others. */
export const MAX_COMPARED_VISITS = 2_000;
/** Fetches of robots.txt, by agent and quarter of an hour, that they are compared with: the newest. */
export const MAX_ROBOTS_FETCHES = 4_000;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const LastTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const agentOf = {
  ...agentNames,
  is_user_triggered: Type.Boolean({
    description: 'It fetches on behalf of people, by its type; its operator says that robots.txt does not bind it',
  }),
};
const judged = {
  allowed: Count('Visits that robots.txt allowed'),
  disallowed: Count('Visits that it disallowed'),
  no_rules: Count('Visits while the site had no robots.txt (4xx), which allows everything'),
  unreachable: Count('Visits while robots.txt answered with an error (5xx), which disallows everything by RFC 9309'),
  unknown: Count('Visits while no version was known'),
};

const LineSchema = Type.Object({
  version: Type.String({ format: 'uuid', description: 'The version of robots.txt that was in force' }),
  line: Type.Integer({ minimum: 1, description: 'Number of the line that disallowed' }),
  text: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `The first ${MAX_LISTED_LINE_LENGTH} characters of the line; null where the version is gone`,
  }),
  visits: Count('Visits that it disallowed'),
});

const ComplianceAgentSchema = Type.Object(
  {
    ...agentOf,
    ...judged,
    disallowed_verified: Count('Disallowed visits of which it was proved that they were its own'),
    disallowed_served: Count('Disallowed visits that were answered below 400: nothing held them off'),
    disallowed_forbidden: Count('Disallowed visits that were answered 403: something enforces the rules'),
    allowed_forbidden: Count(
      'Visits that robots.txt allowed and that were answered 403: the two contradict each other',
    ),
    spoofed: Count('Visits of others in its name; not in any other number'),
    spoofed_disallowed: Count('Of these, the disallowed ones'),
    first_disallowed_at: LastTime(
      'The first disallowed visit; to the quarter of an hour, or the day (UTC), where `is_sampled`',
    ),
    last_disallowed_at: LastTime('The last disallowed visit; as precise as the first'),
    last_robots_fetch_at: LastTime(
      'Its last fetch of /robots.txt in the range or the day before: to the quarter of an hour, or, where there are many, the day (UTC); null for none',
    ),
    read_before: Type.Object(
      {
        visits: Count('Disallowed visits less than 24 hours after it fetched /robots.txt'),
        of: Count('Disallowed visits that were looked at'),
      },
      {
        description: `Of the newest ${MAX_COMPARED_VISITS} disallowed visits, and the newest ${MAX_ROBOTS_FETCHES} fetches by agent and quarter of an hour`,
      },
    ),
  },
  { $id: 'ComplianceAgent' },
);

/** What one agent disregarded. */
export const DisregardedSchema = Type.Object(
  {
    lines: Type.Array(LineSchema, { maxItems: MAX_LISTED_OF_AGENT, description: 'Most visits first' }),
    paths: Type.Array(
      Type.Object({ path: Type.String({ description: 'Without the query' }), visits: Count('Disallowed visits') }),
      { maxItems: MAX_LISTED_OF_AGENT, description: 'Most visits first' },
    ),
  },
  { $id: 'Disregarded', description: 'Without visits that failed verification' },
);

export const ComplianceSchema = Type.Object(
  {
    from: Time('Where counting starts: the quarter of an hour that holds what was asked for'),
    to: Time('Where it ends, exclusive: the next full quarter of an hour'),
    totals: Type.Object(
      {
        ...judged,
        disallowing_agents: Count('Agents with a disallowed visit'),
        disallowed_served: Count('Disallowed visits that were answered below 400'),
        disallowed_forbidden: Count('Disallowed visits that were answered 403'),
        allowed_forbidden: Count('Visits that robots.txt allowed and that were answered 403'),
        user_triggered: Count('Visits of agents that fetch on behalf of people; not in any other number'),
        user_triggered_disallowed: Count('Of these, the disallowed ones'),
        spoofed: Count('Visits that failed verification; not in any other number'),
        spoofed_disallowed: Count('Of these, the disallowed ones'),
        other: Count('Visits beyond the bounds of the counts, whose agents are not known'),
      },
      { description: 'Of agents that robots.txt is meant for, unless a number says otherwise' },
    ),
    agents: Type.Array(ComplianceAgentSchema, { description: 'Most disallowed visits first' }),
    files: Type.Array(
      Type.Object({
        ...agentOf,
        path: Type.String({ description: '/robots.txt, /llms.txt, /llms-full.txt, or one in /.well-known/' }),
        visits: Count('Fetches'),
        served: Count('Fetches that were answered below 400'),
        failed: Count('Fetches that were answered 400 or above'),
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
            '`charged`: `crawler-charged` says for how much. `refused`: `crawler-error` says why. `payment_required`: answered 402. `offered`: the agent offered to pay, and the answer says nothing of it',
        }),
        detail: Type.String({ description: 'The price, or the error; empty where the answer has none' }),
        visits: Count('Visits'),
      }),
      { maxItems: MAX_COMPLIANCE_ROWS, description: 'Most visits first' },
    ),
    is_sampled: Type.Boolean({
      description: `There were more than ${MAX_COMPARED_VISITS} disallowed visits: times and \`read_before\` are of the newest`,
    }),
  },
  { $id: 'Compliance', description: 'Judged by the robots.txt that was in force at the time of each visit' },
);

export type Compliance = Static<typeof ComplianceSchema>;
export type ComplianceAgent = Static<typeof ComplianceAgentSchema>;
export type Disregarded = Static<typeof DisregardedSchema>;
