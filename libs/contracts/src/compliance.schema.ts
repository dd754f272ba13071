import { Type, type Static } from 'typebox';
import { REQUESTED_FORMATS, RESPONSE_FORMATS, type RequestedFormat, type ResponseFormat } from './content-format.js';
import { agentNames } from './statistics.schema.js';

/**
 * Count dimensions of the compliance report. The brackets list the parts of each value. Visits that failed verification
 * are only counted in `judged`.
 */
export const COMPLIANCE_DIMENSIONS = {
  /** All visits: [agent, robots.txt verdict, identification result, {@link StatusGroup}]. */
  judged: 'robots_agent',
  /** Disallowed fetches: [agent, robots.txt version, line]. */
  lines: 'robots_line',
  /** Disallowed fetches: [agent, path without query]. */
  pages: 'robots_page',
  /** Fetches of /robots.txt: [agent]. */
  robotsFetches: 'robots_fetch',
  /**
   * Fetches of files that are intended for agents: [agent or {@link UNKNOWN_FETCHER}, {@link FileAnswer}, path]. The
   * path is the one in `AGENT_FILES`, or another one in /.well-known/ without its query. Version 0.1.0 counted the
   * {@link StatusGroup} instead of the answer.
   */
  files: 'agent_file',
  /**
   * Responses with status 2xx: [agent, {@link RequestedFormat}, {@link ResponseFormat}]. Visits with neither an `Accept` nor
   * a `Content-Type` header aren't counted.
   */
  formats: 'format',
  /** Visits in which the site asked for a payment, or the agent offered one: [agent]. */
  payments: 'payment',
} as const;

/** Groups of response statuses. `403` is separate because firewalls use it to block requests. */
export type StatusGroup = 'served' | '403' | 'failed' | 'none';

export function toStatusGroup(status: number | null | undefined): StatusGroup {
  if (status == null) return 'none';
  if (status === 403) return '403';
  return status < 400 ? 'served' : 'failed';
}

/** Stands for all unknown visitors in the counts of files. */
export const UNKNOWN_FETCHER = 'unknown';

/**
 * Answers to requests for files that are intended for agents. `html` is a page instead of the file, and `challenge` is
 * status 202, with which firewalls ask for proof of a browser.
 */
export const FILE_ANSWERS = ['file', 'html', 'redirect', 'challenge', 'not_found', 'refused', 'error'] as const;
export type FileAnswer = (typeof FILE_ANSWERS)[number] | 'none';

/** Minimum number of requests for robots.txt that got something else, to report them. */
export const MIN_ROBOTS_REFUSALS = 5;
/** Maximum number of lines and paths listed per agent. */
export const MAX_LISTED_PER_AGENT = 20;
/** Maximum length of a listed line, in characters. Longer lines are truncated. */
export const MAX_LISTED_LINE_LENGTH = 2_000;
/** Maximum number of rows in the list of fetched files. The last file can exceed it. */
export const MAX_COMPLIANCE_ROWS = 500;
/** Maximum number of combinations of agents and formats. */
export const MAX_FORMAT_ROWS = 2_000;
/** Maximum number of disallowed visits whose times are evaluated. Older visits are only counted. */
export const MAX_COMPARED_VISITS = 2_000;
/** Maximum number of /robots.txt fetches that visits are compared with, grouped by agent and quarter hour. */
export const MAX_ROBOTS_FETCHES = 4_000;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const LastTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const agentFields = {
  ...agentNames,
  is_user_triggered: Type.Boolean({
    description:
      'Whether agents of this type fetch pages on behalf of users. According to their operators, robots.txt does not apply to them.',
  }),
};
const verdictCounts = {
  allowed: Count('Number of visits allowed by robots.txt'),
  disallowed: Count('Number of visits disallowed by robots.txt'),
  no_rules: Count('Number of visits made while robots.txt was missing (4xx), which allows everything'),
  unreachable: Count(
    'Number of visits made while robots.txt returned an error (5xx), which disallows everything (RFC 9309)',
  ),
  unknown: Count('Number of visits made while no robots.txt version was known'),
};

const FileAnswersSchema = Type.Object(
  {
    file: Count('Status 2xx (except 202) or 304, and not HTML'),
    html: Count('Status 2xx (except 202) with the content type HTML, which is a page instead of the file'),
    redirect: Count('Status 3xx (except 304)'),
    challenge: Count('Status 202, with which firewalls ask for proof of a browser'),
    not_found: Count('Status 404 or 410'),
    refused: Count('Other status 4xx, such as 401, 403 or 429'),
    error: Count('Status 5xx'),
  } satisfies Record<(typeof FILE_ANSWERS)[number], unknown>,
  {
    $id: 'FileAnswers',
    description:
      'Number of fetches by answer. Fetches without a status, those with status 405 and another method than GET, and those that version 0.1.0 counted, are only included in `visits`.',
  },
);
const fileFields = {
  path: Type.String({
    description:
      'Path of the file. If it ends with `*`, all paths that start with the part before it. See `AGENT_FILES` in libs/contracts for the list. For agents, also any other path in /.well-known/.',
  }),
  purpose: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Purpose of the file. Null if unknown.',
  }),
  visits: Count('Number of fetches'),
  answers: FileAnswersSchema,
  last_at: Time('Time of the last fetch, rounded down to the quarter hour or, for earlier days, to the day (UTC)'),
};

const LineSchema = Type.Object({
  version: Type.String({ format: 'uuid', description: 'ID of the active robots.txt version' }),
  line: Type.Integer({ minimum: 1, description: 'Number of the line that disallows the visits' }),
  text: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `First ${MAX_LISTED_LINE_LENGTH} characters of the line. Null if the version has been deleted.`,
  }),
  visits: Count('Number of visits disallowed by the line'),
});

const RobotsRefusedAgentSchema = Type.Object({
  ...agentNames,
  visits: Count('Number of requests that got HTML, a challenge, a refusal or an error instead of robots.txt'),
});
export const robotsRefusedFields = {
  visits: Count('Number of requests by these agents that got HTML, a challenge, a refusal or an error'),
  fetches: Count('Number of all requests for /robots.txt by these agents'),
  answers: FileAnswersSchema,
  agents: Type.Array(RobotsRefusedAgentSchema, {
    description: 'Agents, sorted by `visits` in descending order',
  }),
};
const RobotsRefusedSchema = Type.Object(robotsRefusedFields, {
  $id: 'RobotsRefused',
  description:
    'Agents that got something else than robots.txt in at least half of their requests for it, so they never learn the rules. Visits that failed verification are not included, and neither are statuses 304, 404 and 410.',
});

const ComplianceAgentSchema = Type.Object(
  {
    ...agentFields,
    ...verdictCounts,
    disallowed_verified: Count('Number of disallowed visits that passed verification'),
    disallowed_served: Count(
      'Number of disallowed visits that received a status below 400, which means the rules were not enforced',
    ),
    disallowed_forbidden: Count(
      'Number of disallowed visits that received status 403, which means the rules were enforced',
    ),
    allowed_forbidden: Count('Number of allowed visits that received status 403, which contradicts robots.txt'),
    spoofed: Count(
      'Number of visits that claimed to be this agent but failed verification. Not included in the other counts.',
    ),
    spoofed_disallowed: Count('Number of `spoofed` visits that were disallowed'),
    first_disallowed_at: LastTime(
      'Time of the first disallowed visit. If `is_sampled` is true, the time is rounded down to a quarter hour or a day (UTC).',
    ),
    last_disallowed_at: LastTime('Time of the last disallowed visit, with the same precision as `first_disallowed_at`'),
    last_robots_fetch_at: LastTime(
      'Time of the last fetch of /robots.txt in the range or on the day before it, accurate to the quarter hour, or to the day (UTC) if there are many fetches. Null if there was none.',
    ),
    read_before: Type.Object(
      {
        visits: Count('Number of disallowed visits made less than 24 hours after the agent fetched /robots.txt'),
        of: Count('Number of disallowed visits that were examined'),
      },
      {
        description: `Disallowed visits by agents that had read /robots.txt, based on the ${MAX_ROBOTS_FETCHES} most recent fetches, grouped by agent and quarter hour. If PostgreSQL stores the visits, only the ${MAX_COMPARED_VISITS} most recent disallowed visits are examined.`,
      },
    ),
  },
  { $id: 'ComplianceAgent' },
);

export const DisregardedSchema = Type.Object(
  {
    lines: Type.Array(LineSchema, {
      maxItems: MAX_LISTED_PER_AGENT,
      description: 'Lines that disallow the most visits, in descending order',
    }),
    paths: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Path without the query' }),
        visits: Count('Number of disallowed visits'),
      }),
      { maxItems: MAX_LISTED_PER_AGENT, description: 'Paths with the most disallowed visits, in descending order' },
    ),
  },
  {
    $id: 'Disregarded',
    description: "An agent's disallowed visits, by line and path. Visits that failed verification are not included.",
  },
);

export const ComplianceSchema = Type.Object(
  {
    from: Time('Start of the time range, rounded down to a quarter hour'),
    to: Time('End of the time range (exclusive), rounded up to a quarter hour'),
    totals: Type.Object(
      {
        ...verdictCounts,
        disallowing_agents: Count('Number of agents with at least one disallowed visit'),
        disallowed_served: Count('Number of disallowed visits that received a status below 400'),
        disallowed_forbidden: Count('Number of disallowed visits that received status 403'),
        allowed_forbidden: Count('Number of allowed visits that received status 403'),
        user_triggered: Count(
          'Number of visits by agents that fetch pages on behalf of users. Not included in the other counts.',
        ),
        user_triggered_disallowed: Count('Number of `user_triggered` visits that were disallowed'),
        spoofed: Count('Number of visits that failed verification. Not included in the other counts.'),
        spoofed_disallowed: Count('Number of `spoofed` visits that were disallowed'),
        other: Count(
          "Number of visits that can't be attributed to an agent because a limit on the number of distinct values was reached",
        ),
      },
      { description: 'Totals for agents that robots.txt applies to, unless noted otherwise' },
    ),
    agents: Type.Array(ComplianceAgentSchema, {
      description: 'Agents, sorted by disallowed visits in descending order',
    }),
    files: Type.Array(
      Type.Object({
        ...agentFields,
        ...fileFields,
        served: Count('Number of fetches that received a status below 400'),
        failed: Count('Number of fetches that received a status of 400 or above'),
      }),
      {
        description: `Fetched files, sorted by fetches in descending order. Contains all agents of each file. If there are more than ${MAX_COMPLIANCE_ROWS} rows, the least fetched files are omitted.`,
      },
    ),
    unknown_files: Type.Array(Type.Object(fileFields), {
      description: 'Files fetched by unknown visitors, including people, sorted by fetches in descending order',
    }),
    robots_refused: Type.Union([RobotsRefusedSchema, Type.Null()], {
      description: `Agents that didn't get robots.txt. Null if there were fewer than ${MIN_ROBOTS_REFUSALS} such requests.`,
    }),
    formats: Type.Array(
      Type.Object({
        ...agentFields,
        requested: Type.Unsafe<RequestedFormat>({
          type: 'string',
          enum: [...REQUESTED_FORMATS],
          description:
            'Format that the `Accept` header prefers. `any` stands for `*/*`, and `none` if the header is missing or was not reported.',
        }),
        response: Type.Unsafe<ResponseFormat>({
          type: 'string',
          enum: [...RESPONSE_FORMATS],
          description: 'Format in the `Content-Type` header. `none` if the header is missing or was not reported.',
        }),
        visits: Count('Number of visits'),
      }),
      {
        maxItems: MAX_FORMAT_ROWS,
        description:
          'Formats that agents asked for and got in responses with status 2xx, sorted by visits in descending order. Excludes visits with neither header.',
      },
    ),
    is_sampled: Type.Boolean({
      description: `Whether times and \`read_before\` are based only on the ${MAX_COMPARED_VISITS} most recent disallowed visits because there were more`,
    }),
  },
  {
    $id: 'Compliance',
    description: 'Compliance of agents with the robots.txt version active at the time of each visit',
  },
);

export type Compliance = Static<typeof ComplianceSchema>;
export type ComplianceAgent = Static<typeof ComplianceAgentSchema>;
export type AgentFileFetches = Compliance['unknown_files'][number];
export type RobotsRefused = NonNullable<Compliance['robots_refused']>;
export type Disregarded = Static<typeof DisregardedSchema>;
