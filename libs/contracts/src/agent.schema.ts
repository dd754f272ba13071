import { MAX_PATTERN_LENGTH } from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { agentBehaviors } from './agent-behavior.js';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { EnrichedIdentificationSchema } from './enriched-visit.schema.js';
import { ClientAddressSchema, HeadersSchema, VISIT_LIMITS } from './visit.schema.js';

const nullable = (extra: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...extra });
const texts = (description: string, maxItems: number, maxLength = 500) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems, description });

const PATTERNS =
  'Case-insensitive patterns that match whole names in the User-Agent, written in a portable subset of regular expressions. Literals ' +
  'must be printable ASCII, and ^ $ . * + ? ( ) [ ] { } | \\ must be escaped with \\. The subset includes ., classes such ' +
  'as [\\w.-] and [^)], \\d, \\w, ^, $, \\b, \\B, | and (?:…). Characters and classes can be repeated with ?, *, + and ' +
  '{2,80}, and groups only with ?. At most one repetition can be unbounded. Lookarounds, backreferences and capturing ' +
  'groups are not supported. Each pattern must contain a literal of at least 3 characters.';

const agentFields = {
  token: Type.String({ minLength: 1, maxLength: 200, description: 'Display name. Must be unique, ignoring case.' }),
  type: Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES], description: 'Agent type' }),
  behaviors: agentBehaviors('Known purposes of the requests that the agent sends'),
  ended_on: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description:
        "Date on which the operator retired the agent. Later visits that claim to be the agent can't be genuine.",
    }),
  ),
  operator: nullable({
    minLength: 1,
    maxLength: 200,
    description: 'Company that operates the agent. Null if unknown.',
  }),
  url: nullable({
    minLength: 1,
    maxLength: 2_048,
    description: "URL of the operator's page about the agent. Null if there is none.",
  }),
  user_agent_patterns: texts(PATTERNS, 50, MAX_PATTERN_LENGTH),
  fallback_patterns: Type.Optional(
    texts(
      'Subset of `user_agent_patterns` with the lowest precedence. If any other named agent also matches, that agent wins, regardless of the length of the match.',
      50,
    ),
  ),
  loose_patterns: Type.Optional(
    texts(
      "Subset of `user_agent_patterns` that also match inside words, contact addresses and an app's own User-Agent. " +
        'All other patterns match only whole names.',
      50,
    ),
  ),
  excluded_prefixes: Type.Optional(
    texts(
      'Prefixes that prevent a match when they come directly before it, such as "like ". Case-insensitive.',
      20,
      50,
    ),
  ),
  sample_user_agents: Type.Optional(texts('A sample User-Agent for each pattern, in the same order', 50, 4_096)),
  robots_token: nullable({
    minLength: 1,
    maxLength: 200,
    description: 'Product token used in robots.txt. Null if the agent has none.',
  }),
  verification: Type.Object(
    {
      reverse_dns_suffixes: Type.Optional(
        texts("Domains that the agent's forward-confirmed host names belong to. Subdomains are included.", 100, 253),
      ),
      ip_list_urls: Type.Optional(
        Type.Array(
          Type.Object(
            {
              url: Type.String({ minLength: 1, maxLength: 2_048 }),
              format: Type.String({ minLength: 1, maxLength: 500 }),
            },
            { additionalProperties: false },
          ),
          { maxItems: 50, description: 'URLs of the IP address lists that the operator publishes' },
        ),
      ),
      ip_ranges: Type.Optional(texts('IP address ranges in CIDR notation', 100_000, 50)),
      ip_ranges_as_of: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 10,
          description: 'Date of the data in `ip_ranges`. Absent if the data is current.',
        }),
      ),
      signature_agents: Type.Optional(texts('Hosts or URLs of Web Bot Auth key directories', 50, 2_048)),
    },
    { additionalProperties: false, description: 'Methods that can verify the agent. Empty if the catalog lists none.' },
  ),
  generic: Type.Optional(
    Type.Boolean({
      description:
        'Whether the agent is a library or framework that other agents are built on. Any other named agent takes precedence over it.',
    }),
  ),
  framework: Type.Optional(Type.Boolean({ description: 'Whether this generic agent takes precedence over libraries' })),
  robots_only: Type.Optional(
    Type.Boolean({ description: "Whether the agent's name appears only in robots.txt and never in a User-Agent" }),
  ),
  signature_only: Type.Optional(
    Type.Boolean({
      description: "Whether the agent sends a regular browser's User-Agent and can be recognized only by its signature",
    }),
  ),
  sources: Type.Optional(texts('Sources of this data', 50, 200)),
};

export const AGENT_ORIGINS = ['bundled', 'feed', 'own'] as const;
type AgentOrigin = (typeof AGENT_ORIGINS)[number];

/** Fields that listings add to {@link AgentRecordSchema}. */
export const agentOriginFields = {
  origin: Type.Unsafe<AgentOrigin>({
    type: 'string',
    enum: [...AGENT_ORIGINS],
    description:
      '`bundled` agents are part of the release. `feed` agents were accepted from a feed. `own` agents were added on this instance.',
  }),
  is_edited: Type.Boolean({
    description: 'Whether an agent from the release or a feed has been changed on this instance',
  }),
  changed_at: Type.String({
    format: 'date-time',
    description: 'Time at which the agent was added, or was last changed by a person or a feed',
  }),
};

export const AgentRecordSchema = Type.Object(agentFields, {
  $id: 'AgentRecord',
  additionalProperties: false,
  description: 'Agent in the data file format',
});
export const AgentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Agent ID (UUIDv5 of the lowercase token)' }),
    ...agentOriginFields,
    feed: Type.Optional(
      Type.Object(
        {
          id: nullable({ format: 'uuid', description: 'Feed ID. Null if the feed was removed.' }),
          name: Type.String(),
          url: nullable({ description: 'Feed URL. Null for an uploaded file.' }),
          accepted_at: Type.String({
            format: 'date-time',
            description: 'Time at which this version of the agent was accepted',
          }),
          gone_at: nullable({
            format: 'date-time',
            description: 'Time at which the agent was removed from the feed. Null if it is still listed.',
          }),
        },
        { description: 'Feed from which the agent was accepted. Absent for agents from other sources.' },
      ),
    ),
    ...agentFields,
    faults: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }), {
        description: 'Stored patterns that this release no longer accepts as valid. They are still used for matching.',
      }),
    ),
  },
  { $id: 'Agent' },
);
export const AgentPageSchema = Type.Object(
  {
    agents: Type.Array(AgentSchema, { description: 'Agents, sorted by token' }),
    next_cursor: nullable({ description: 'Cursor for the next page. Null on the last page.' }),
    catalog_version: Type.String({ description: 'Current version of the catalog' }),
  },
  { $id: 'AgentPage' },
);
const agentCounts = { agents: Type.Integer(), robots_tokens: Type.Integer() };
export const CatalogSummarySchema = Type.Object(
  {
    agents: Type.Integer(),
    types: Type.Array(Type.Object({ type: Type.String(), ...agentCounts }), {
      description: 'Number of agents of each type, in total and with a robots.txt token',
    }),
    operators: Type.Array(Type.Object({ operator: Type.String(), ...agentCounts }), {
      description: 'Number of agents of each operator, in total and with a robots.txt token. Sorted by operator name.',
    }),
  },
  { $id: 'CatalogSummary' },
);
/** Maximum number of agents in a data file. */
export const MAX_AGENTS = 10_000;

export const AgentImportSchema = Type.Array(Type.Unknown(), {
  $id: 'AgentImport',
  maxItems: MAX_AGENTS,
  description: 'Agents in the data file format. They replace existing agents with the same token.',
});
export const AgentImportResultSchema = Type.Object(
  { added: Type.Integer(), changed: Type.Integer(), unchanged: Type.Integer() },
  { $id: 'AgentImportResult' },
);
export const AgentExportSchema = Type.Array(AgentRecordSchema, { $id: 'AgentExport' });

export const ExplanationRequestSchema = Type.Object(
  {
    project_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'ID of the project whose proxy and host name settings are used. If omitted, the default settings are used.',
      }),
    ),
    request_method: Type.Optional(Type.String({ maxLength: 64 })),
    request_path: Type.Optional(Type.String({ maxLength: VISIT_LIMITS.pathLength })),
    request_headers: HeadersSchema,
    client_address: ClientAddressSchema,
  },
  { $id: 'ExplanationRequest', additionalProperties: true },
);
export const ExplanationSchema = Type.Object(
  {
    client_address: nullable({ description: 'Client address used for the identification. Null if unknown.' }),
    identification: EnrichedIdentificationSchema,
  },
  { $id: 'Explanation', description: 'Identification with its evidence' },
);

export const NewTestVisitSchema = Type.Object(
  { url: Type.String({ format: 'uri', maxLength: 2_048, description: 'Page URL (http or https)' }) },
  { $id: 'NewTestVisit', additionalProperties: false },
);
export const TestVisitSchema = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers to send, unchanged, within five minutes',
    }),
    agent_token: Type.String(),
    signature_agent: Type.String(),
    key_id: Type.String(),
  },
  { $id: 'TestVisit', description: 'Request signed by the test agent, for you to send' },
);

export type AgentListItem = Static<typeof AgentSchema>;
export type AgentPage = Static<typeof AgentPageSchema>;
export type CatalogSummary = Static<typeof CatalogSummarySchema>;
export type AgentImportResult = Static<typeof AgentImportResultSchema>;
export type Explanation = Static<typeof ExplanationSchema>;
export type TestVisit = Static<typeof TestVisitSchema>;
export type AgentRecord = Static<typeof AgentRecordSchema>;
