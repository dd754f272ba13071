import { IDENTIFICATION_REASONS, METHODS, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static, type TSchema } from 'typebox';
import { AGENT_TYPES } from './agent-type.js';
import { agentOriginFields } from './agent.schema.js';
import { clientNetwork } from './client-network.schema.js';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';

/** Maximum length of a range in days: 20 years, not including the comparison range. */
export const MAX_DAYS_OF_RANGE = 7_305;
/** Maximum number of visits read, newest first, for details without counts: addresses, methods, failed verifications. */
export const MAX_SAMPLED_VISITS = 5_000;
/** Maximum number of visits that are counted exactly. Larger numbers are estimated. */
export const MAX_COUNTED_VISITS = 10_000;
/** Days, including the current one, covered by the visit counts in the agent list. */
export const SEEN_DAYS = 30;
/** Maximum number of groups of failed verifications in a response. */
export const MAX_SPOOFS = 100;

const Id = Type.String({ format: 'uuid' });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Text = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const LastTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

export const BUCKETS = ['15m', '1h', '1d', '1w', '1mo'] as const;
export type Bucket = (typeof BUCKETS)[number];

const range = {
  from: Time('Start of the range, rounded down to a quarter hour'),
  to: Time('End of the range (exclusive), rounded up to a quarter hour'),
  time_zone: Type.String({
    description: 'IANA time zone of the project, used for the boundaries of hours, days, weeks and months',
  }),
  bucket: Type.Unsafe<Bucket>({
    type: 'string',
    enum: [...BUCKETS],
    description:
      'Length of a series item: `15m` for ranges up to 26 hours, `1h` up to 8 days, `1d` (23 to 25 hours) up to 100 days, ' +
      '`1w` (from Monday) up to 750 days, otherwise `1mo`',
  }),
};
const comparedRange = {
  compared_from: Time('Start of the comparison range'),
  compared_to: Time('End of the comparison range (exclusive)'),
};
const previousVisits = Count('Number in the comparison range');
const bucketTime = Time(
  'Start of the item. The first item can start before `from`, but counts visits only from `from` on.',
);
const isSampled = Type.Boolean({
  description: `Whether more than ${MAX_SAMPLED_VISITS} visits match, so only the newest are included`,
});
const results = {
  verified: Count('Visits of verified agents'),
  verification_failed: Count('Visits that failed verification as the agent they claim to be'),
};
/** Fields that describe an agent in responses. */
export const agentNames = {
  agent_id: Id,
  agent_token: Text('Agent token, or null if the agent is no longer in the catalog'),
  agent_type_name: Text(`Agent type, such as ${AGENT_TYPES[13]}`),
  operator_name: Text('Operator of the agent'),
};

const PageCountSchema = Type.Object(
  {
    path: Type.String({ description: 'Path without the query. Empty for the sum of all others.' }),
    visits: Count('Visits'),
    previous_visits: Type.Optional(previousVisits),
  },
  { $id: 'PageCount' },
);
const StatusCountSchema = Type.Object(
  {
    status: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Response status, or null for the sum of all others',
    }),
    visits: Count('Visits'),
    previous_visits: Type.Optional(previousVisits),
  },
  { $id: 'StatusCount' },
);

/** Fields of every response about a range. */
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
          'Time of the newest visit, which can be before these 24 hours. Null if there are no visits.',
        ),
        has_tools: Type.Boolean({ description: 'Whether the project ever had an MCP, ACP or UCP visit' }),
        visits: Count('Visits in the 24 hours up to the end of the current quarter hour'),
        agent_visits: Count('Visits of agents, including those that failed verification'),
        ...results,
        hours: Type.Array(Type.Integer({ minimum: 0 }), {
          minItems: 24,
          maxItems: 24,
          description: 'Visits per clock hour, oldest first. The last hour is incomplete.',
        }),
      }),
    ),
  },
  { $id: 'ProjectSummaries' },
);

export const TotalsSchema = Type.Object(
  {
    visits: Count('Visits of agents and people'),
    agent_visits: Count('Visits of agents, including those that failed verification'),
    agents: Count('Number of distinct agents'),
    ...results,
    not_verifiable: Count('Visits of agents that could not be verified either way'),
    unknown_agent: Count('Visits of people, and of agents that are not in the catalog'),
  },
  { $id: 'VisitTotals' },
);

const OverviewSampleSchema = Type.Object(
  {
    of: Type.Unsafe<'lists' | 'all'>({
      type: 'string',
      enum: ['lists', 'all'],
      description:
        'Numbers computed from stored visits: only `top_pages` and `top_statuses` (`lists`), or all numbers (`all`)',
    }),
    visits_read: Count('Stored visits that were read and match the filters by agent, type, operator and result'),
    visits: Count('Visits in the range that match these filters, according to the exact counts'),
    not_stored: Count('Number of `visits` that are not stored because their retention ended or they were only counted'),
    is_estimated: Type.Boolean({
      description: 'Whether the numbers are extrapolated because not all visits were read',
    }),
  },
  { $id: 'OverviewSample' },
);
const previousItems = <T extends TSchema>(item: T) =>
  Type.Array(item, {
    description:
      'Comparison range in the same buckets, aligned with `series` at the first item. Clock changes and month lengths can ' +
      'cause a difference of one item',
  });
const typeItem = Type.Object({
  time: bucketTime,
  visits: Count('Visits'),
  by_type: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Visits by agent type. The empty key contains visits of unknown visitors.',
  }),
});

export const OverviewSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    sample: Type.Union([OverviewSampleSchema, Type.Null()], { description: 'Null if all numbers are exact counts' }),
    current: TotalsSchema,
    previous: TotalsSchema,
    series: Type.Array(typeItem),
    previous_series: previousItems(typeItem),
    top_agents: Type.Array(
      Type.Object({ ...agentNames, visits: Count('Visits'), previous_visits: previousVisits, ...results }),
      { maxItems: 10 },
    ),
    top_operators: Type.Array(
      Type.Object({ operator_name: Type.String(), visits: Count('Visits'), previous_visits: previousVisits }),
      { maxItems: 10 },
    ),
    top_pages: Type.Array(PageCountSchema, { maxItems: 11, description: 'The sum of all others comes last' }),
    top_statuses: Type.Array(StatusCountSchema, { maxItems: 11, description: 'The sum of all others comes last' }),
  },
  { $id: 'Overview', description: '`previous` covers the comparison range' },
);

const agentFields = {
  ...agentNames,
  agent_url: Text('Page where the operator describes the agent'),
  is_verifiable: Type.Boolean({ description: 'Whether the catalog contains a verification method for the agent' }),
  visits: Count('Visits'),
  previous_visits: previousVisits,
  ...results,
  last_seen_at: LastTime('Time of the newest visit in the range'),
};
export const VisitingAgentsSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    agents: Type.Array(
      Type.Object({
        ...agentFields,
        series: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Visits per bucket' }),
      }),
    ),
    next_cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Cursor of the next page, or null at the end',
    }),
  },
  { $id: 'VisitingAgents' },
);

const agentItem = Type.Object({ time: bucketTime, visits: Count('Visits'), ...results });
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
        address: Text('Client address, or null if none can be trusted'),
        client_network: clientNetwork(),
        visits: Count('Visits'),
        result: Type.Unsafe<IdentificationResult>({ type: 'string', enum: [...IDENTIFICATION_RESULTS] }),
      }),
      { maxItems: 50 },
    ),
    methods: Type.Array(Type.Object({ method: Type.String(), visits: Count('Visits') }), { maxItems: 20 }),
    is_sampled: isSampled,
  },
  { $id: 'VisitingAgent', description: 'Pages, statuses, addresses and methods are based on the newest visits' },
);

export const VerificationOverviewSchema = Type.Object(
  {
    ...range,
    series: Type.Array(
      Type.Object({
        time: bucketTime,
        ...results,
        not_verifiable: Count('Visits that could not be verified either way'),
      }),
    ),
    spoofs: Type.Array(
      Type.Object({
        ...agentNames,
        agent_id: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'uuid',
          description: 'ID of the claimed agent',
        }),
        client_network: clientNetwork(
          'Actual origin: one autonomous system with its most frequent prefix. The country is omitted if there are several. Null if unknown.',
        ),
        networks: Type.Array(Type.Object({ prefix: Type.String(), visits: Count('Visits') }), {
          maxItems: 3,
          description:
            'Most frequent networks: prefixes from ASN_FILE, otherwise /24 (IPv4) and /48 (IPv6). Empty if no address can be trusted.',
        }),
        network_count: Count('Number of distinct networks, including those not listed'),
        host_names: Type.Array(Type.String(), {
          description:
            "Reverse DNS names of the newest visit's address, if verification looked them up. The owner of the address chooses them.",
        }),
        visits: Count('Visits'),
        paths: Type.Array(Type.String(), { maxItems: 3, description: 'Most frequent paths, without queries' }),
        reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Reason for the result of the newest visit'),
        last_seen_at: Time('Time of the newest visit'),
      }),
      { maxItems: MAX_SPOOFS, description: 'Grouped by claimed agent and network, most visits first' },
    ),
    is_sampled: isSampled,
    has_network_names: Type.Boolean({
      description: 'Whether ASN_FILE is set, so the networks of an item belong to one operator',
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
      'Visits referred by assistants. The actual number can be higher, because many clients send no referrer.',
    ),
    previous_referrals: previousVisits,
    unknown_visits: Count('Visits of all unknown visitors: people, and bots that are not in the catalog'),
    previous_unknown_visits: previousVisits,
    series: Type.Array(
      Type.Object({
        time: bucketTime,
        visits: Count('Visits referred by assistants'),
        by_assistant: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
          description: 'Visits by assistant name',
        }),
      }),
    ),
    assistants: Type.Array(
      Type.Object({
        assistant: Type.String({ description: 'Assistant name. Empty for the sum of all others.' }),
        operator_name: Text('Operator of the agent'),
        visits: Count('Visits referred by the assistant'),
        previous_visits: previousVisits,
      }),
      { description: 'Most visits first' },
    ),
    pages: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Path without the query. Empty for the sum of all others.' }),
        visits: Count('Visits to the page referred by assistants'),
        assistants: Type.Array(Type.Object({ assistant: Type.String(), visits: Count('Visits') }), {
          description: 'Referring assistants, most visits first',
        }),
      }),
      { maxItems: MAX_REFERRAL_PAGES + 1, description: 'Most visits first. The sum of all others comes last.' },
    ),
    operators: Type.Array(
      Type.Object({
        operator_name: Type.String(),
        pages_fetched: Count(
          'Pages fetched by its agents: GET requests for HTML with a status below 400, without spoofed ones',
        ),
        previous_pages_fetched: previousVisits,
        by_purpose: Type.Object(
          {
            training: Count('For model training, or for companies that sell training data'),
            search: Count('For a search index'),
            user: Count('On behalf of a person who asked an assistant or agent'),
            other: Count('For other purposes, such as link previews'),
          },
          { description: 'Purposes of the fetches, based on agent types' },
        ),
        referrals: Count('Visits referred by its assistants'),
        previous_referrals: previousVisits,
        is_search_engine: Type.Boolean({
          description:
            'Whether its search engine also fetched pages. Visitors referred by the search engine are not counted here.',
        }),
      }),
      {
        description: 'Companies that have an assistant, or whose AI agents fetched pages. Most pages fetched first.',
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
      description: 'Number of matching visits, or null if even an estimate timed out',
    }),
    is_exact: Type.Boolean({
      description: `Whether the number is exact. Numbers above ${MAX_COUNTED_VISITS} are estimated and rounded.`,
    }),
  },
  { $id: 'VisitCount' },
);

export const SeenAgentsSchema = Type.Object(
  {
    from: Time(`Start of the first of ${SEEN_DAYS} days (UTC). The last one is the current day.`),
    agents: Type.Array(
      Type.Object({
        agent_id: Id,
        agent_token: Type.String(),
        agent_type_name: Type.String({ description: `Agent type, such as ${AGENT_TYPES[13]}` }),
        operator_name: Text('Operator of the agent'),
        agent_url: Text('Page where the operator describes the agent'),
        behaviors: Type.Array(Type.String(), { description: 'Known behaviors' }),
        robots_token: Text('Product token for robots.txt, or null if it has none'),
        ...agentOriginFields,
        feed_name: Text('Feed that the agent came from, or null'),
        is_gone: Type.Boolean({ description: 'Whether the feed no longer contains the agent' }),
        methods: Type.Array(Type.Unsafe<VerificationMethod>({ type: 'string', enum: Object.keys(METHODS) }), {
          description: 'Verification methods. Empty if the catalog contains none.',
        }),
        visits: Count('Visits since `from` in the projects that the credential can access'),
      }),
      { description: 'All catalog agents, most visits first, then by token' },
    ),
  },
  { $id: 'SeenAgents' },
);

export const HistogramSchema = Type.Object(
  {
    minutes: Type.Array(
      Type.Object({
        time: Time('Start of the minute'),
        visits: Count('Visits'),
        agents: Count('Visits of agents'),
        ...results,
      }),
      { minItems: 60, maxItems: 60, description: 'Oldest first. The last minute is incomplete.' },
    ),
    is_sampled: Type.Boolean({
      description: 'Whether there were too many visits to count them all. If so, the oldest minutes are too low.',
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
