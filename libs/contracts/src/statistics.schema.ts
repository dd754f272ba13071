import { IDENTIFICATION_REASONS, METHODS, type VerificationMethod } from '#libs/agents/vocabulary';
import { Type, type Static, type TSchema } from 'typebox';
import { AGENT_TYPES } from './agent-type.js';
import { agentOriginFields } from './agent.schema.js';
import { clientNetwork } from './client-network.schema.js';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';

/** Days that a range can span, 20 years; the one it is compared with comes on top. */
export const MAX_DAYS_OF_RANGE = 7_305;
/** Visits that are looked at, newest first, for what is not counted: addresses, methods, who failed verification. */
export const MAX_SAMPLED_VISITS = 5_000;
/** Visits that are counted one by one; of more the number is about right. */
export const MAX_COUNTED_VISITS = 10_000;
/** Days, the current one among them, of which the list of agents says how often each visited. */
export const SEEN_DAYS = 30;
/** Groups of visits that failed verification in one answer. */
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
  from: Time('Where counting starts: the quarter of an hour that holds what was asked for'),
  to: Time('Where it ends, exclusive: the next full quarter of an hour'),
  time_zone: Type.String({ description: "The project's IANA time zone, by which hours, days, weeks and months begin" }),
  bucket: Type.Unsafe<Bucket>({
    type: 'string',
    enum: [...BUCKETS],
    description:
      'Length of an item of the series: 15m up to 26 hours, 1h up to 8 days, 1d (of 23 to 25 hours) up to 100 days, ' +
      '1w (from Monday) up to 750 days, else 1mo',
  }),
};
const comparedRange = {
  compared_from: Time('Where the range that it is compared with starts'),
  compared_to: Time('Where that ends, exclusive'),
};
const previousVisits = Count('Of the range that it is compared with');
const bucketTime = Time('When it begins; the first may begin before `from`, and counts from there only');
const isSampled = Type.Boolean({
  description: `More than ${MAX_SAMPLED_VISITS} visits would count: these are of the newest ones`,
});
const results = {
  verified: Count('Of an agent that is who it says it is'),
  verification_failed: Count('Of somebody who is not who they say they are'),
};
/** Who an agent is, as answers name it. */
export const agentNames = {
  agent_id: Id,
  agent_token: Text('null where the agent is no longer in the catalog'),
  agent_type_name: Text(`One of the types, such as ${AGENT_TYPES[13]}`),
  operator_name: Text('The company behind it'),
};

const PageCountSchema = Type.Object(
  {
    path: Type.String({ description: 'Without the query; empty for all others together' }),
    visits: Count('Visits'),
    previous_visits: Type.Optional(previousVisits),
  },
  { $id: 'PageCount' },
);
const StatusCountSchema = Type.Object(
  {
    status: Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'null for all others together' }),
    visits: Count('Visits'),
    previous_visits: Type.Optional(previousVisits),
  },
  { $id: 'StatusCount' },
);

/** What every answer about a range of time has. */
export { range as countedRange, bucketTime };

export const ProjectSummariesSchema = Type.Object(
  {
    summaries: Type.Array(
      Type.Object({
        project_id: Id,
        first_visit_at: LastTime('The quarter of an hour of its oldest visit; null: there was none'),
        last_visit_at: LastTime('When its newest visit occurred, also before these hours; null: there was none'),
        has_tools: Type.Boolean({ description: 'Whether there was ever a visit of the kind MCP, ACP or UCP' }),
        visits: Count('In the 24 hours that end with the quarter of an hour under way'),
        agent_visits: Count('Of agents, also of those that are not who they say'),
        ...results,
        hours: Type.Array(Type.Integer({ minimum: 0 }), {
          minItems: 24,
          maxItems: 24,
          description: 'Visits of each hour by the clock, oldest first; the last one is under way',
        }),
      }),
    ),
  },
  { $id: 'ProjectSummaries' },
);

export const TotalsSchema = Type.Object(
  {
    visits: Count('Of agents and of people'),
    agent_visits: Count('Of agents, also of those that are not who they say'),
    agents: Count('Different agents'),
    ...results,
    not_verifiable: Count('Of an agent, where nothing tells whether it is the one'),
    unknown_agent: Count('Of people, and of agents that the catalog does not have'),
  },
  { $id: 'VisitTotals' },
);

const OverviewSampleSchema = Type.Object(
  {
    of: Type.Unsafe<'lists' | 'all'>({
      type: 'string',
      enum: ['lists', 'all'],
      description: 'What is counted from stored visits: `top_pages` and `top_statuses` alone, or every number',
    }),
    visits_read: Count('Stored visits that were read, and that pass the filters by agent, type, operator and result'),
    visits: Count('Visits of the range that pass them by the counts'),
    not_stored: Count('Of these, visits that are not stored: their retention is over, or they were only counted'),
    is_estimated: Type.Boolean({ description: 'Not all were read: those that were stand for the others' }),
  },
  { $id: 'OverviewSample' },
);
const previousItems = <T extends TSchema>(item: T) =>
  Type.Array(item, {
    description:
      'Of the range that it is compared with, in the same buckets: the first item stands beside the first. Where ' +
      'clocks change or months differ in length there may be one more or less',
  });
const typeItem = Type.Object({
  time: bucketTime,
  visits: Count('Visits'),
  by_type: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Visits by type of agent; the empty name is for those of no known agent',
  }),
});

export const OverviewSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    sample: Type.Union([OverviewSampleSchema, Type.Null()], { description: 'null where all is from counts' }),
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
    top_pages: Type.Array(PageCountSchema, { maxItems: 11, description: 'The rest comes last' }),
    top_statuses: Type.Array(StatusCountSchema, { maxItems: 11, description: 'The rest comes last' }),
  },
  { $id: 'Overview', description: '`previous` is of the range that it is compared with' },
);

const agentFields = {
  ...agentNames,
  agent_url: Text('Where its operator describes it'),
  is_verifiable: Type.Boolean({ description: 'Whether the catalog lists a way to verify it' }),
  visits: Count('Visits'),
  previous_visits: previousVisits,
  ...results,
  last_seen_at: LastTime('When its newest visit of the range occurred'),
};
export const VisitingAgentsSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    agents: Type.Array(
      Type.Object({
        ...agentFields,
        series: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Visits of each bucket of the range' }),
      }),
    ),
    next_cursor: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'null at the end' }),
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
        address: Text('null where none can be believed'),
        client_network: clientNetwork(),
        visits: Count('Visits'),
        result: Type.Unsafe<IdentificationResult>({ type: 'string', enum: [...IDENTIFICATION_RESULTS] }),
      }),
      { maxItems: 50 },
    ),
    methods: Type.Array(Type.Object({ method: Type.String(), visits: Count('Visits') }), { maxItems: 20 }),
    is_sampled: isSampled,
  },
  { $id: 'VisitingAgent', description: 'Pages, statuses, addresses and methods are of the newest visits' },
);

export const VerificationOverviewSchema = Type.Object(
  {
    ...range,
    series: Type.Array(Type.Object({ time: bucketTime, ...results, not_verifiable: Count('Nothing tells') })),
    spoofs: Type.Array(
      Type.Object({
        ...agentNames,
        agent_id: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description: 'Claimed' }),
        client_network: clientNetwork(
          'Where they really came from: one autonomous system, with its most frequent prefix; without a country where they came from several. null where nothing is known',
        ),
        networks: Type.Array(Type.Object({ prefix: Type.String(), visits: Count('Visits') }), {
          maxItems: 3,
          description:
            'Most frequent networks: as ASN_FILE has them, else /24 of IPv4 and /48 of IPv6; none where no address can be believed',
        }),
        network_count: Count('Different networks, also those that are not listed'),
        host_names: Type.Array(Type.String(), {
          description: "Reverse DNS of the newest one's address, where verification asked; its owner chooses the names",
        }),
        visits: Count('Visits'),
        paths: Type.Array(Type.String(), { maxItems: 3, description: 'Most frequent paths, without their queries' }),
        reason: openEnum<string | null>([...IDENTIFICATION_REASONS, null], 'Of the newest one'),
        last_seen_at: Time('When the newest one occurred'),
      }),
      { maxItems: MAX_SPOOFS, description: 'By claimed agent and network, most visits first' },
    ),
    is_sampled: isSampled,
    has_network_names: Type.Boolean({
      description: 'Whether ASN_FILE is set: then networks are those of one operator',
    }),
  },
  { $id: 'VerificationOverview' },
);

/** Rows of the list of pages that assistants send people to. */
export const MAX_REFERRAL_PAGES = 100;

export const ReferralsSchema = Type.Object(
  {
    ...range,
    ...comparedRange,
    referrals: Count('Visits of people whom an assistant sent; at least so many, as many clients do not say it'),
    previous_referrals: previousVisits,
    unknown_visits: Count('Visits of all unknown visitors, people and bots that the catalog does not have'),
    previous_unknown_visits: previousVisits,
    series: Type.Array(
      Type.Object({
        time: bucketTime,
        visits: Count('Visits of people whom an assistant sent'),
        by_assistant: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: 'By its name' }),
      }),
    ),
    assistants: Type.Array(
      Type.Object({
        assistant: Type.String({ description: 'Its name; empty for all others together' }),
        operator_name: Text('The company behind it'),
        visits: Count('Visits of people whom it sent'),
        previous_visits: previousVisits,
      }),
      { description: 'Most visits first' },
    ),
    pages: Type.Array(
      Type.Object({
        path: Type.String({ description: 'Without the query; empty for all others together' }),
        visits: Count('Visits of people whom an assistant sent there'),
        assistants: Type.Array(Type.Object({ assistant: Type.String(), visits: Count('Visits') }), {
          description: 'Who sent them, most visits first',
        }),
      }),
      { maxItems: MAX_REFERRAL_PAGES + 1, description: 'Most visits first; the rest comes last' },
    ),
    operators: Type.Array(
      Type.Object({
        operator_name: Type.String(),
        pages_fetched: Count('Pages that its agents fetched: GET of HTML, answered below 400, not spoofed'),
        previous_pages_fetched: previousVisits,
        by_purpose: Type.Object(
          {
            training: Count('To train models, or for those who sell data for that'),
            search: Count('For an index that answers are found in'),
            user: Count('For somebody who asked an assistant or an agent'),
            other: Count('For anything else, such as previews of links'),
          },
          { description: 'For what, by the types of its agents' },
        ),
        referrals: Count('Visits of people whom its assistants sent'),
        previous_referrals: previousVisits,
        is_search_engine: Type.Boolean({
          description: 'Its search engine fetched pages, too; the people whom that sends are not counted here',
        }),
      }),
      {
        description: 'Companies with an assistant, or with agents for AI that fetched pages. Most pages fetched first',
      },
    ),
  },
  { $id: 'Referrals', description: 'People whom assistants sent, and what their operators fetched' },
);

export const VisitCountSchema = Type.Object(
  {
    visits: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      description: 'How many match; null where even about how many could not be found out in time',
    }),
    is_exact: Type.Boolean({
      description: `Whether they were counted one by one: up to ${MAX_COUNTED_VISITS}. More are about so many, rounded`,
    }),
  },
  { $id: 'VisitCount' },
);

export const SeenAgentsSchema = Type.Object(
  {
    from: Time(`When the first of ${SEEN_DAYS} days (UTC) begins; the last one is the current day`),
    agents: Type.Array(
      Type.Object({
        agent_id: Id,
        agent_token: Type.String(),
        agent_type_name: Type.String({ description: `One of the types, such as ${AGENT_TYPES[13]}` }),
        operator_name: Text('The company behind it'),
        agent_url: Text('Where its operator describes it'),
        behaviors: Type.Array(Type.String(), { description: 'What it does with pages, as far as known' }),
        robots_token: Text('Product token for robots.txt; null if it has none'),
        ...agentOriginFields,
        feed_name: Text('The feed that it came from; null unless it came from one'),
        is_gone: Type.Boolean({ description: 'Its feed no longer has it' }),
        methods: Type.Array(Type.Unsafe<VerificationMethod>({ type: 'string', enum: Object.keys(METHODS) }), {
          description: 'How it can be verified; empty where the catalog lists no way to',
        }),
        visits: Count('Visits since `from` in the projects that the credential reaches'),
      }),
      { description: 'All agents of the catalog, those with most visits first, then by token' },
    ),
  },
  { $id: 'SeenAgents' },
);

export const HistogramSchema = Type.Object(
  {
    minutes: Type.Array(
      Type.Object({
        time: Time('When the minute begins'),
        visits: Count('Visits'),
        agents: Count('Visits of agents'),
        ...results,
      }),
      { minItems: 60, maxItems: 60, description: 'Oldest first; the last one is under way' },
    ),
    is_sampled: Type.Boolean({ description: 'There were too many visits to count: the oldest minutes are too low' }),
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
