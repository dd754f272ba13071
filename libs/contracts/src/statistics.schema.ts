import { IDENTIFICATION_REASONS, METHODS, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static, type TSchema } from 'typebox';
import { AGENT_TYPES } from './agent-type.js';
import { ChangeCausesSchema } from './change-cause.schema.js';
import { agentOriginFields } from './agent.schema.js';
import { nullableClientNetwork } from './client-network.schema.js';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';

/** Maximum length of a time range in days (20 years), excluding the comparison range. */
export const MAX_RANGE_DAYS = 7_305;
/** Maximum number of addresses per agent, those with the most visits. */
export const MAX_AGENT_ADDRESSES = 500;
/** Maximum number of visits, newest first, to read for details that the counts don't cover, such as addresses. */
export const MAX_SAMPLED_VISITS = 5_000;
/** Number of visits up to which every count is exact. Larger counts can be estimates. */
export const MAX_COUNTED_VISITS = 10_000;
/** Number of days, including today, that the visit counts in the agent list cover. */
export const SEEN_DAYS = 30;
/** Maximum number of failed-verification groups in a response. */
export const MAX_SPOOFS = 100;

const Id = Type.String({ format: 'uuid' });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const LastTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

export const BUCKETS = ['15m', '1h', '1d', '1w', '1mo'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const BUCKET = Type.Unsafe<Bucket>({
  type: 'string',
  enum: [...BUCKETS],
  description:
    'Length of each series item: `15m` for ranges up to 26 hours, `1h` up to 8 days, `1d` (23 to 25 hours) up to 100 days, ' +
    '`1w` (from Monday) up to 750 days, otherwise `1mo`',
});

const range = {
  from: Time('Start of the time range, rounded down to a quarter hour'),
  to: Time('End of the time range (exclusive), rounded up to a quarter hour'),
  time_zone: Type.String({
    description: 'IANA time zone of the project, which determines when hours, days, weeks and months start',
  }),
  bucket: BUCKET,
};
const comparedRange = {
  compared_from: Time('Start of the comparison range'),
  compared_to: Time('End of the comparison range (exclusive)'),
};
const previousVisits = Count('Corresponding number for the comparison range');
const bucketTime = Time(
  'Start of the item. The first item can start before `from`, but counts only visits since `from`.',
);
const isSampled = Type.Boolean({
  description: `Whether only the ${MAX_SAMPLED_VISITS} most recent visits are included because there are more`,
});
const results = {
  verified: Count('Number of visits by verified agents'),
  verification_failed: Count('Number of visits that failed verification as the agent they claim to be'),
};
/** Fields that identify an agent in responses. */
export const agentNames = {
  agent_id: Id,
  agent_token: Text('Agent token. Null if the agent is no longer in the catalog.'),
  agent_type_name: Text(`Agent type, such as ${AGENT_TYPES[13]}`),
  operator_name: Text('Company that operates the agent'),
};

const PageCountSchema = Type.Object(
  {
    path: Type.String({
      description:
        'Page: path without the query, `.md`, `.html`, `/index.md`, `/index.html` and slash at the end. Empty for the item that sums up all other pages.',
    }),
    visits: Count('Number of visits'),
    previous_visits: Type.Optional(previousVisits),
  },
  { $id: 'PageCount' },
);
const StatusCountSchema = Type.Object(
  {
    status: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Response status. Null for the item that sums up all other statuses.',
    }),
    visits: Count('Number of visits'),
    previous_visits: Type.Optional(previousVisits),
  },
  { $id: 'StatusCount' },
);

/** Fields shared by all responses that cover a time range. */
export { range as countedRange, bucketTime };

export const ProjectSummariesSchema = Type.Object(
  {
    summaries: Type.Array(
      Type.Object({
        project_id: Id,
        first_visit_at: LastTime(
          'Time of the oldest visit, rounded down to a quarter hour. Null if there are no visits.',
        ),
        last_visit_at: LastTime(
          'Time of the most recent visit, which can be more than 24 hours ago. Null if there are no visits.',
        ),
        has_tools: Type.Boolean({
          description: 'Whether the project has ever had an MCP, ACP or UCP visit',
        }),
        has_payments: Type.Boolean({ description: 'Whether the project has ever asked an agent to pay, or been paid' }),
        visits: Count('Number of visits in the 24 hours before the end of the current quarter hour'),
        agent_visits: Count('Number of visits by agents, including those that failed verification'),
        ...results,
        hours: Type.Array(Type.Integer({ minimum: 0 }), {
          minItems: 24,
          maxItems: 24,
          description: 'Number of visits by agents per clock hour, oldest first. The last hour is incomplete.',
        }),
      }),
    ),
  },
  { $id: 'ProjectSummaries' },
);

export const TotalsSchema = Type.Object(
  {
    visits: Count('Number of visits by agents and people'),
    agent_visits: Count('Number of visits by agents, including those that failed verification'),
    agents: Count('Number of distinct agents'),
    ...results,
    not_verifiable: Count('Number of visits whose claimed agent could be neither confirmed nor ruled out'),
    unknown_agent: Count('Number of visits by people, and by agents that are not in the catalog'),
  },
  { $id: 'VisitTotals' },
);

const OverviewSampleSchema = Type.Object(
  {
    of: Type.Unsafe<'lists' | 'all'>({
      type: 'string',
      enum: ['lists', 'all'],
      description:
        'Which counts are computed from stored visits: only `top_pages` and `top_statuses` (`lists`), or all counts (`all`)',
    }),
    visits_read: Count('Number of stored visits that were read and match the agent, type, operator and result filters'),
    visits: Count('Number of visits in the time range that match these filters, based on the exact counts'),
    not_stored: Count(
      'Number of `visits` that are not stored because their retention period has ended or because they were only counted',
    ),
    is_estimated: Type.Boolean({
      description: 'Whether the counts are extrapolated because not all visits were read',
    }),
  },
  { $id: 'OverviewSample' },
);
const previousItems = <T extends TSchema>(item: T) =>
  Type.Array(item, {
    description:
      'Series for the comparison range, in the same buckets and aligned with the first item of `series`. Clock changes and ' +
      'month lengths can cause a difference of one item.',
  });
const typeItem = Type.Object({
  time: bucketTime,
  visits: Count('Number of visits'),
  by_type: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Number of visits by agent type. The empty key counts visits by unknown visitors.',
  }),
  by_result: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'Number of visits by identification result. Only included with a `breakdown` other than `type`.',
    }),
  ),
  by_status: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'Number of visits by status class, such as `2xx`. The empty key counts visits without a reported ' +
        'status, or with one outside 100–599. `not_stored` counts visits whose status is unknown because they are no ' +
        'longer stored. Only included with the `status` breakdown. Omitted for the comparison range if the counts are estimates.',
    }),
  ),
  by_agent: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description:
        'Number of visits by agent ID, for the agents in `top_agents`. The empty key counts visits by all other agents. ' +
        'Only included with the `agent` breakdown.',
    }),
  ),
});

export const OverviewSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    sample: Type.Union([OverviewSampleSchema, Type.Null()], {
      description: 'Sample that the counts are based on. Null if all counts are exact.',
    }),
    current: TotalsSchema,
    previous: TotalsSchema,
    series: Type.Array(typeItem),
    previous_series: previousItems(typeItem),
    top_agents: Type.Array(
      Type.Object({ ...agentNames, visits: Count('Number of visits'), previous_visits: previousVisits, ...results }),
      { maxItems: 10 },
    ),
    top_operators: Type.Array(
      Type.Object({ operator_name: Type.String(), visits: Count('Number of visits'), previous_visits: previousVisits }),
      { maxItems: 10 },
    ),
    top_pages: Type.Array(PageCountSchema, {
      maxItems: 11,
      description: 'Pages with the most visits, in descending order, followed by the sum of all other pages',
    }),
    top_statuses: Type.Array(StatusCountSchema, {
      maxItems: 11,
      description: 'Statuses with the most visits, in descending order, followed by the sum of all other statuses',
    }),
  },
  { $id: 'Overview', description: 'Overview of a time range. `previous` covers the comparison range.' },
);

const agentFields = {
  ...agentNames,
  agent_url: Text("URL of the operator's page about the agent. Null if unknown."),
  is_verifiable: Type.Boolean({ description: 'Whether the catalog contains a verification method for the agent' }),
  visits: Count('Number of visits'),
  previous_visits: previousVisits,
  ...results,
  last_seen_at: LastTime('Time of the most recent visit in the time range'),
};
export const VisitingAgentsSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    agents: Type.Array(
      Type.Object({
        ...agentFields,
        series: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Number of visits per bucket' }),
      }),
    ),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Cursor for the next page. Null on the last page.',
    }),
  },
  { $id: 'VisitingAgents' },
);

const agentItem = Type.Object({ time: bucketTime, visits: Count('Number of visits'), ...results });
export const VisitingAgentSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    ...agentFields,
    series: Type.Array(agentItem),
    previous_series: previousItems(agentItem),
    top_pages: Type.Array(PageCountSchema, { maxItems: 20 }),
    top_statuses: Type.Array(StatusCountSchema, { maxItems: 20 }),
    addresses: Type.Array(
      Type.Object({
        address: Text('Client address. Null if no trustworthy address is available.'),
        network: Text('Network of the address in CIDR notation: a /24 for IPv4, a /48 for IPv6'),
        client_network: nullableClientNetwork(),
        visits: Count('Number of visits'),
        result: Type.Unsafe<IdentificationResult>({ type: 'string', enum: [...IDENTIFICATION_RESULTS] }),
      }),
      { maxItems: MAX_AGENT_ADDRESSES },
    ),
    methods: Type.Array(Type.Object({ method: Type.String(), visits: Count('Number of visits') }), { maxItems: 20 }),
    change_causes: ChangeCausesSchema,
    is_sampled: isSampled,
  },
  {
    $id: 'VisitingAgent',
    description:
      "An agent's activity over a time range. Pages, statuses, addresses and methods are based on the most recent visits.",
  },
);

const verdictItem = Type.Object({
  time: bucketTime,
  ...results,
  not_verifiable: Count('Number of visits whose claimed agent could be neither confirmed nor ruled out'),
});
/** Verification results of visits whose claimed agent wasn't confirmed. */
export const UNVERIFIED_RESULTS = ['verification_failed', 'not_verifiable'] as const;
export type UnverifiedResult = (typeof UNVERIFIED_RESULTS)[number];

export const VerificationOverviewSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    series: Type.Array(verdictItem),
    previous_series: previousItems(verdictItem),
    spoofs: Type.Array(
      Type.Object({
        ...agentNames,
        agent_id: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'uuid',
          description: 'ID of the agent that the visits claim to be',
        }),
        client_network: nullableClientNetwork(
          'Network that the visits actually came from: a single autonomous system and its most frequent prefix. The country is omitted if there are several. Null if unknown.',
        ),
        networks: Type.Array(Type.Object({ prefix: Type.String(), visits: Count('Number of visits') }), {
          maxItems: 3,
          description:
            'Most frequent networks, as prefixes from ASN_FILE if available, otherwise as /24 (IPv4) and /48 (IPv6) networks. Empty if no trustworthy address is available.',
        }),
        network_count: Count('Number of distinct networks, including those not listed'),
        host_names: Type.Array(Type.String(), {
          description:
            "Reverse DNS names of the most recent visit's address, if they were looked up for verification. The owner of the address chooses these names.",
        }),
        visits: Count('Number of visits'),
        paths: Type.Array(Type.String(), { maxItems: 3, description: 'Most frequent paths, without queries' }),
        reason: openEnum<string | null>(
          [...IDENTIFICATION_REASONS, null],
          'Reason for the verification result of the most recent visit',
        ),
        last_seen_at: Time('Time of the most recent visit'),
      }),
      {
        maxItems: MAX_SPOOFS,
        description: 'Visits with the requested result, grouped by claimed agent and network, most visits first',
      },
    ),
    reasons: Type.Array(
      Type.Object({
        reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Reason for the verification result'),
        visits: Count('Number of visits'),
      }),
      { description: 'Visits with the requested result, grouped by reason, most visits first' },
    ),
    is_sampled: isSampled,
    has_network_names: Type.Boolean({
      description: 'Whether ASN_FILE is set. If it is, all networks of an item belong to the same operator.',
    }),
  },
  { $id: 'VerificationOverview' },
);

/** Maximum number of pages in the referral report. */
export const MAX_REFERRAL_PAGES = 100;

export const ReferralsSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    referrals: Count(
      "Number of visits referred by assistants. The actual number can be higher because many clients don't send a referrer.",
    ),
    previous_referrals: previousVisits,
    unknown_visits: Count(
      'Number of visits by all unknown visitors, meaning people and any bots that are not in the catalog',
    ),
    previous_unknown_visits: previousVisits,
    series: Type.Array(
      Type.Object({
        time: bucketTime,
        visits: Count('Number of visits referred by assistants'),
        by_assistant: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description: 'Number of visits by assistant name',
        }),
      }),
    ),
    assistants: Type.Array(
      Type.Object({
        assistant: Type.String({
          description: 'Assistant name. Empty for the item that sums up all other assistants.',
        }),
        operator_name: Text('Company that operates the assistant'),
        visits: Count('Number of visits referred by the assistant'),
        previous_visits: previousVisits,
      }),
      { description: 'Assistants, most visits first' },
    ),
    pages: Type.Array(
      Type.Object({
        path: Type.String({
          description:
            'Page: path without the query, `.md`, `.html`, `/index.md`, `/index.html` and slash at the end. Empty for the item that sums up all other pages.',
        }),
        visits: Count('Number of visits to the page that were referred by assistants'),
        assistants: Type.Array(Type.Object({ assistant: Type.String(), visits: Count('Number of visits') }), {
          description: 'Referring assistants, most visits first',
        }),
      }),
      { maxItems: MAX_REFERRAL_PAGES + 1, description: 'Pages, most visits first, followed by the sum of all others' },
    ),
    operators: Type.Array(
      Type.Object({
        operator_name: Type.String(),
        pages_fetched: Count(
          "Number of pages fetched by the company's agents. Counts GET requests for HTML or Markdown with a status below 400, excluding spoofed requests.",
        ),
        previous_pages_fetched: previousVisits,
        by_purpose: Type.Object(
          {
            training: Count('Number of fetches for model training, or for companies that sell training data'),
            search: Count('Number of fetches for a search index'),
            user: Count('Number of fetches on behalf of a user who asked an assistant or agent'),
            other: Count('Number of fetches for other purposes, such as link previews'),
          },
          { description: 'Number of fetched pages by purpose, based on agent types' },
        ),
        referrals: Count("Number of visits referred by the company's assistants"),
        previous_referrals: previousVisits,
        is_search_engine: Type.Boolean({
          description:
            "Whether the company's search engine also fetched pages. Visitors referred by the search engine are not included.",
        }),
      }),
      {
        description:
          'Companies that operate an assistant, or whose AI agents fetched pages. Sorted by fetched pages in descending order.',
      },
    ),
  },
  { $id: 'Referrals', description: 'Visitors referred by assistants, and pages fetched by AI operators' },
);

export const VisitCountSchema = Type.Object(
  {
    visits: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Number of matching visits. Null if even estimating the number timed out.',
    }),
    is_exact: Type.Boolean({
      description: `Whether the count is exact. Counts above ${MAX_COUNTED_VISITS} can be estimated and rounded.`,
    }),
  },
  { $id: 'VisitCount' },
);

export const SeenAgentsSchema = Type.Object(
  {
    from: Time(
      `Start of the first of ${SEEN_DAYS} days in the project's time zone, or the earliest start of all projects. The last day is today.`,
    ),
    agents: Type.Array(
      Type.Object({
        agent_id: Id,
        agent_token: Type.String(),
        agent_type_name: Type.String({ description: `Agent type, such as ${AGENT_TYPES[13]}` }),
        operator_name: Text('Company that operates the agent'),
        agent_url: Text("URL of the operator's page about the agent. Null if unknown."),
        behaviors: Type.Array(Type.String(), { description: 'Known purposes of the requests that the agent sends' }),
        robots_token: Text('Product token used in robots.txt. Null if the agent has none.'),
        ...agentOriginFields,
        feed_name: Text('Name of the feed that the agent was accepted from. Null for agents from other sources.'),
        is_gone: Type.Boolean({ description: 'Whether the feed no longer lists the agent' }),
        methods: Type.Array(Type.Unsafe<VerificationMethod>({ type: 'string', enum: Object.keys(METHODS) }), {
          description: 'Methods that can verify the agent. Empty if the catalog lists none.',
        }),
        visits: Count(`Number of visits in the last ${SEEN_DAYS} days in the projects that the credential can access`),
        projects: Type.Array(Type.Object({ project_id: Id, visits: Count('Number of visits to the project') }), {
          description: 'The same visits by project, most visits first',
        }),
      }),
      { description: 'All agents in the catalog, most visits first, then by token' },
    ),
  },
  { $id: 'SeenAgents' },
);

export const HistogramSchema = Type.Object(
  {
    minutes: Type.Array(
      Type.Object({
        time: Time('Start of the minute'),
        visits: Count('Number of visits'),
        agents: Count('Number of visits by agents'),
        ...results,
      }),
      { minItems: 60, maxItems: 60, description: 'Minutes, oldest first. The last minute is incomplete.' },
    ),
    is_sampled: Type.Boolean({
      description:
        'Whether there were too many visits to count them all. If so, the counts for the oldest minutes are too low.',
    }),
  },
  { $id: 'Histogram' },
);

export type ProjectSummary = Static<typeof ProjectSummariesSchema>['summaries'][number];
export type Totals = Static<typeof TotalsSchema>;
export type Overview = Static<typeof OverviewSchema>;
export type PageCount = Static<typeof PageCountSchema>;
export type StatusCount = Static<typeof StatusCountSchema>;
export type VisitingAgents = Static<typeof VisitingAgentsSchema>;
export type VisitingAgent = Static<typeof VisitingAgentSchema>;
export type VerificationOverview = Static<typeof VerificationOverviewSchema>;
export type Spoof = VerificationOverview['spoofs'][number];
export type Referrals = Static<typeof ReferralsSchema>;
export type VisitCount = Static<typeof VisitCountSchema>;
export type SeenAgents = Static<typeof SeenAgentsSchema>;
export type Histogram = Static<typeof HistogramSchema>;
export type ProjectSummaries = Static<typeof ProjectSummariesSchema>;
export type VisitTotals = Static<typeof TotalsSchema>;
