import { Type, type Static } from 'typebox';
import { AgentRecordSchema } from './agent.schema.js';
import { Name, StoredText } from './text.schema.js';

/** Feeds of an instance, at most. */
export const MAX_AGENT_FEEDS = 100;
/** Characters of a document that is sent; with its escapes it has to fit into a body. */
const MAX_FEED_DOCUMENT = 4_500_000;

const nullable = (extra: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...extra });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const maybeTime = (description: string) => nullable({ format: 'date-time', description });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** Formats of a feed's document, told by its content. */
export const FEED_FORMATS = ['agent-traffic', 'crawler-user-agents', 'ai.robots.txt', 'well-known-bots'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** What became of an agent in a feed. */
export const FEED_AGENT_STATES = ['proposed', 'accepted', 'dismissed', 'known', 'refused'] as const;
export type FeedAgentState = (typeof FEED_AGENT_STATES)[number];

const fields = {
  name: Name,
  accepts_all: Type.Boolean({
    description: 'Whether what it brings is accepted without being asked about, unless it is refused',
  }),
};
const document = StoredText({
  minLength: 1,
  maxLength: MAX_FEED_DOCUMENT,
  description: 'The content of a file: what it has replaces what the feed had before',
});

export const AgentFeedSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    url: nullable({ description: 'Where it is fetched from once a day; null for a file that was sent' }),
    public_key: nullable({ description: 'Ed25519 key in PEM: only what it has signed is taken; null takes any' }),
    format: Type.Unsafe<FeedFormat | null>({
      type: ['string', 'null'],
      enum: [...FEED_FORMATS, null],
      description: 'Format of the last document; null until one was read',
    }),
    signed_at: maybeTime('When its publisher signed the last document; null if it is not signed'),
    state: Type.Unsafe<'waiting' | 'current' | 'failed'>({
      type: 'string',
      enum: ['waiting', 'current', 'failed'],
      description: 'Waiting to be read, or how the last attempt ended; after a failure what it brought before stays',
    }),
    fault: nullable({ description: 'Why the last attempt failed, and what to do; null if it did not' }),
    fetched_at: maybeTime('When it was last read without a fault'),
    next_refresh_at: maybeTime('When it is fetched again; null if only on request'),
    created_at: Time('When it was added'),
    counts: Type.Object(
      {
        ...Object.fromEntries(FEED_AGENT_STATES.map((state) => [state, Count(`Agents that are ${state}`)])),
        gone: Count('Accepted agents that the feed no longer has'),
      } as Record<FeedAgentState | 'gone', ReturnType<typeof Count>>,
      { description: 'Its agents by what became of them' },
    ),
  },
  { $id: 'AgentFeed' },
);
export const AgentFeedsSchema = Type.Object(
  { feeds: Type.Array(AgentFeedSchema, { description: 'By name' }) },
  { $id: 'AgentFeeds' },
);
export const NewAgentFeedSchema = Type.Object(
  {
    name: fields.name,
    accepts_all: Type.Optional(fields.accepts_all),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_048, description: 'An https address' })),
    document: Type.Optional(document),
    public_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_000, description: 'Ed25519 key in PEM; only what it signed is taken' }),
    ),
  },
  { $id: 'NewAgentFeed', additionalProperties: false, description: 'A feed with either `url` or `document`' },
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
    agent_id: Type.String({ format: 'uuid', description: 'Id that the agent has, or would have, in the catalog' }),
    token: Type.String({ description: 'Name of the agent; of one that was refused as the feed names it' }),
    state: Type.Unsafe<FeedAgentState>({ type: 'string', enum: [...FEED_AGENT_STATES] }),
    is_change: Type.Boolean({ description: 'It was accepted before, and the feed has changed it since' }),
    reason: nullable({ description: 'Why it is refused, or as what the catalog knows it already' }),
    record: Type.Unsafe<Static<typeof AgentRecordSchema> | null>({
      anyOf: [AgentRecordSchema, { type: 'null' }],
      description: 'What the catalog would have; null for what cannot be read as an agent',
    }),
    first_seen_at: Time('When the feed first had it'),
    gone_at: maybeTime('Since when the feed no longer has it'),
  },
  { $id: 'FeedAgent' },
);
export const FeedAgentsSchema = Type.Object(
  {
    agents: Type.Array(FeedAgentSchema, { description: 'By token' }),
    total: Count('All that there are, those beyond the limit included'),
  },
  { $id: 'FeedAgents' },
);

/** Agents of a feed that are decided about together. */
const MAX_DECIDED = 10_000;
export const FeedDecisionSchema = Type.Object(
  {
    feed_id: Type.String({ format: 'uuid' }),
    agent_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: MAX_DECIDED,
        description: 'Which of the proposed agents; absent: all of them',
      }),
    ),
  },
  { $id: 'FeedDecision', additionalProperties: false },
);
export const FeedDecisionResultSchema = Type.Object(
  {
    decided: Count('Agents that were accepted or dismissed'),
    refused: Type.Array(Type.Object({ token: Type.String(), reason: Type.String() }), {
      description: 'Agents that no longer fit into the catalog, or not together with the others',
    }),
  },
  { $id: 'FeedDecisionResult' },
);

export const ProposalVisitsSchema = Type.Object(
  {
    from: Time('Since when visits are counted: 7 days ago'),
    read: Count('Stored visits of unknown visitors whose User-Agents were read'),
    is_estimate: Type.Boolean({ description: 'Too many to read them all: numbers are projected from a sample' }),
    proposals: Type.Array(
      Type.Object({
        feed_id: Type.String({ format: 'uuid' }),
        agent_id: Type.String({ format: 'uuid' }),
        visits: Count('Visits whose User-Agent it would match'),
      }),
      { description: 'Those of the proposed agents that match any' },
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
