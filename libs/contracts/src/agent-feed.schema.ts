import { Type, type Static } from 'typebox';
import { AgentRecordSchema } from './agent.schema.js';
import { Name, StoredText } from './text.schema.js';

/** Maximum number of feeds per instance. */
export const MAX_AGENT_FEEDS = 100;
/** Maximum length of an uploaded document. Leaves room for JSON escapes within the request body limit. */
const MAX_FEED_DOCUMENT_CHARACTERS = 4_500_000;

const nullable = (extra: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...extra });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullableTime = (description: string) => nullable({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** Feed document formats, detected from the content. */
export const FEED_FORMATS = ['agent-traffic', 'crawler-user-agents', 'ai.robots.txt', 'well-known-bots'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

export const FEED_AGENT_STATES = ['proposed', 'accepted', 'dismissed', 'known', 'refused'] as const;
export type FeedAgentState = (typeof FEED_AGENT_STATES)[number];

const fields = {
  name: Name,
  accepts_all: Type.Boolean({
    description: 'Whether to accept proposed agents automatically',
  }),
};
const document = StoredText({
  minLength: 1,
  maxLength: MAX_FEED_DOCUMENT_CHARACTERS,
  description: 'Content of the feed file. Replaces the previous content.',
});

export const AgentFeedSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    url: nullable({ description: 'URL the feed is fetched from once a day. Null for an uploaded file.' }),
    public_key: nullable({
      description:
        'Ed25519 public key in PEM format. The document must be signed with it. Null requires an unsigned document.',
    }),
    format: Type.Unsafe<FeedFormat | null>({
      type: ['string', 'null'],
      enum: [...FEED_FORMATS, null],
      description: 'Format of the last document. Null until one has been read.',
    }),
    signed_at: nullableTime('When the publisher signed the last document. Null if it is unsigned.'),
    state: Type.Unsafe<'waiting' | 'current' | 'failed'>({
      type: 'string',
      enum: ['waiting', 'current', 'failed'],
      description:
        '`waiting`: queued for reading. `current`: the last read succeeded. `failed`: the last read failed, and earlier agents are kept.',
    }),
    fault: nullable({ description: 'Why the last read failed and how to fix it. Null if it succeeded.' }),
    fetched_at: nullableTime('When the feed was last read successfully'),
    next_refresh_at: nullableTime('When the feed is read next. Null if it is only read on request.'),
    created_at: Time('When the feed was added'),
    counts: Type.Object(
      {
        ...Object.fromEntries(FEED_AGENT_STATES.map((state) => [state, Count(`Number of ${state} agents`)])),
        gone: Count('Number of accepted agents that the feed no longer lists'),
      } as Record<FeedAgentState | 'gone', ReturnType<typeof Count>>,
      { description: 'Number of agents by state' },
    ),
  },
  { $id: 'AgentFeed' },
);
export const AgentFeedsSchema = Type.Object(
  { feeds: Type.Array(AgentFeedSchema, { description: 'Feeds, sorted by name' }) },
  { $id: 'AgentFeeds' },
);
export const NewAgentFeedSchema = Type.Object(
  {
    name: fields.name,
    accepts_all: Type.Optional(fields.accepts_all),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description: 'Feed URL. Must use HTTPS.' })),
    document: Type.Optional(document),
    public_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Ed25519 public key in PEM format. If set, the document must be signed with it.',
      }),
    ),
  },
  {
    $id: 'NewAgentFeed',
    additionalProperties: false,
    description: 'Feed to add. Requires either `url` or `document`.',
  },
);
export const AgentFeedChangeSchema = Type.Partial(Type.Object({ ...fields, document }), {
  $id: 'AgentFeedChange',
  additionalProperties: false,
  minProperties: 1,
});

export const FeedAgentSchema = Type.Object(
  {
    feed_id: Type.String({ format: 'uuid' }),
    feed_name: Type.String(),
    agent_id: Type.String({
      format: 'uuid',
      description: 'Agent ID in the catalog. A proposed agent gets this ID when it is accepted.',
    }),
    token: Type.String({ description: 'Agent name. For refused agents, the name used in the feed.' }),
    state: Type.Unsafe<FeedAgentState>({ type: 'string', enum: [...FEED_AGENT_STATES] }),
    is_change: Type.Boolean({ description: 'Whether the feed has changed a previously accepted agent' }),
    reason: nullable({ description: 'Why the agent is refused, or which catalog entry it duplicates' }),
    record: Type.Unsafe<Static<typeof AgentRecordSchema> | null>({
      anyOf: [AgentRecordSchema, { type: 'null' }],
      description: 'Catalog record for the agent. Null if the feed entry is not a valid agent.',
    }),
    first_seen_at: Time('When the agent first appeared in the feed'),
    gone_at: nullableTime('When the agent disappeared from the feed. Null if it is still listed.'),
  },
  { $id: 'FeedAgent' },
);
export const FeedAgentsSchema = Type.Object(
  {
    agents: Type.Array(FeedAgentSchema, { description: 'Agents, sorted by token' }),
    total: Count('Total number of agents, regardless of the limit'),
  },
  { $id: 'FeedAgents' },
);

const MAX_AGENTS_PER_DECISION = 10_000;
export const FeedDecisionSchema = Type.Object(
  {
    feed_id: Type.String({ format: 'uuid' }),
    agent_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: MAX_AGENTS_PER_DECISION,
        description: 'IDs of the proposed agents to decide on. Default: all proposed agents.',
      }),
    ),
  },
  { $id: 'FeedDecision', additionalProperties: false },
);
export const FeedDecisionResultSchema = Type.Object(
  {
    decided: Count('Number of agents accepted or dismissed'),
    refused: Type.Array(Type.Object({ token: Type.String(), reason: Type.String() }), {
      description: 'Agents that conflict with the catalog or with each other',
    }),
  },
  { $id: 'FeedDecisionResult' },
);

export const ProposalVisitsSchema = Type.Object(
  {
    from: Time('Start of the counted period, 7 days ago'),
    read: Count('Number of stored visits by unknown visitors that were checked'),
    is_estimate: Type.Boolean({
      description: 'Whether the counts are extrapolated from a sample because there are too many visits',
    }),
    proposals: Type.Array(
      Type.Object({
        feed_id: Type.String({ format: 'uuid' }),
        agent_id: Type.String({ format: 'uuid' }),
        visits: Count('Number of visits with a matching User-Agent'),
      }),
      { description: 'Proposed agents that match at least one visit' },
    ),
  },
  { $id: 'ProposalVisits' },
);

export type AgentFeed = Static<typeof AgentFeedSchema>;
export type AgentFeeds = Static<typeof AgentFeedsSchema>;
export type FeedAgent = Static<typeof FeedAgentSchema>;
export type FeedAgents = Static<typeof FeedAgentsSchema>;
export type FeedDecision = Static<typeof FeedDecisionSchema>;
export type FeedDecisionResult = Static<typeof FeedDecisionResultSchema>;
export type ProposalVisits = Static<typeof ProposalVisitsSchema>;
