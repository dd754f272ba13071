import { Type, type Static } from 'typebox';
import { AgentRecordSchema } from './agent.schema.js';
import { Name, StoredText } from './text.schema.js';

/** Maximum number of feeds per instance. */
export const MAX_AGENT_FEEDS = 100;
/** Maximum length of an uploaded document, in characters. Its JSON-escaped form must fit the request body limit. */
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
  description: 'Content of the feed file. Replaces any previous content.',
});

export const AgentFeedSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    url: nullable({ description: 'Feed URL, fetched once a day. Null for an uploaded file.' }),
    public_key: nullable({
      description:
        'Ed25519 public key (PEM) that must verify the signature of the document. If null, the document must be unsigned.',
    }),
    format: Type.Unsafe<FeedFormat | null>({
      type: ['string', 'null'],
      enum: [...FEED_FORMATS, null],
      description: 'Format of the most recently read document. Null until the feed has been read for the first time.',
    }),
    signed_at: nullableTime('Time at which the most recent document was signed. Null if it is unsigned.'),
    state: Type.Unsafe<'waiting' | 'current' | 'failed'>({
      type: 'string',
      enum: ['waiting', 'current', 'failed'],
      description:
        '`waiting` means the feed is queued for reading. `current` means the last read succeeded. `failed` means the last read failed. Agents from earlier reads are retained.',
    }),
    fault: nullable({ description: 'Reason the last read failed and how to fix it. Null if it succeeded.' }),
    fetched_at: nullableTime('Time of the last successful read. Null if the feed has never been read successfully.'),
    next_refresh_at: nullableTime('Time of the next scheduled read. Null if the feed is read only on request.'),
    created_at: Time('Time at which the feed was added'),
    counts: Type.Object(
      {
        ...Object.fromEntries(
          FEED_AGENT_STATES.map((state) => [state, Count(`Number of agents in the \`${state}\` state`)]),
        ),
        gone: Count('Number of accepted agents that are no longer listed in the feed'),
      } as Record<FeedAgentState | 'gone', ReturnType<typeof Count>>,
      { description: 'Number of agents in each state' },
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
        description:
          'Ed25519 public key (PEM) that must verify the signature of the document. If omitted, the document must be unsigned.',
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
      description: 'ID of the agent in the catalog. Proposed agents get this ID when they are accepted.',
    }),
    token: Type.String({ description: 'Agent name. If the state is `refused`, this is the name given in the feed.' }),
    state: Type.Unsafe<FeedAgentState>({ type: 'string', enum: [...FEED_AGENT_STATES] }),
    is_change: Type.Boolean({ description: 'Whether the feed has changed an agent that was accepted earlier' }),
    reason: nullable({
      description:
        'Reason for the state: why the agent was `refused`, or which catalog entry it duplicates if it is `known`. Null in other states.',
    }),
    record: Type.Unsafe<Static<typeof AgentRecordSchema> | null>({
      anyOf: [AgentRecordSchema, { type: 'null' }],
      description: 'Catalog record for the agent. Null if the feed entry is not a valid agent.',
    }),
    first_seen_at: Time('Time at which the agent first appeared in the feed'),
    gone_at: nullableTime('Time at which the agent was removed from the feed. Null if it is still listed.'),
  },
  { $id: 'FeedAgent' },
);
export const FeedAgentsSchema = Type.Object(
  {
    agents: Type.Array(FeedAgentSchema, { description: 'Agents, sorted by token' }),
    total: Count('Total number of agents, including those beyond the page limit'),
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
        description: 'IDs of the proposed agents to accept or dismiss. Defaults to all proposed agents.',
      }),
    ),
  },
  { $id: 'FeedDecision', additionalProperties: false },
);
export const FeedDecisionResultSchema = Type.Object(
  {
    decided: Count('Number of agents accepted or dismissed'),
    refused: Type.Array(Type.Object({ token: Type.String(), reason: Type.String() }), {
      description: 'Agents rejected because they conflict with the catalog or with each other',
    }),
  },
  { $id: 'FeedDecisionResult' },
);

export const ProposalVisitsSchema = Type.Object(
  {
    from: Time('Start of the 7-day period that the counts cover'),
    read: Count('Number of stored visits by unknown visitors that were checked'),
    is_estimate: Type.Boolean({
      description:
        'Whether the counts are extrapolated from a sample because there were too many visits to check them all',
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
