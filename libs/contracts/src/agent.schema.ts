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
  'Patterns that match whole names in the User-Agent, ignoring case. They use a portable subset of regular expressions. ' +
  'Literals are printable ASCII, with ^ $ . * + ? ( ) [ ] { } | and \\ escaped by \\. Supported are . and classes such as ' +
  '[\\w.-] and [^)], \\d and \\w, ^, $, \\b and \\B, | and (?:…). A character or class can be repeated with ?, *, + and ' +
  '{2,80}, a group only with ?. At most one repetition can be unbounded. Lookarounds, backreferences and capturing groups ' +
  'are not supported. Each pattern must contain a literal of at least 3 characters.';

const agentFields = {
  token: Type.String({ minLength: 1, maxLength: 200, description: 'Display name, unique regardless of case' }),
  type: Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES], description: 'Agent type' }),
  behaviors: agentBehaviors('Known behaviors: what the agent does with pages'),
  ended_on: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: 'Date on which the operator retired the agent. Later visits are imitations.',
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
    description: "URL of the operator's page about the agent. Null if none exists.",
  }),
  user_agent_patterns: texts(PATTERNS, 50, MAX_PATTERN_LENGTH),
  fallback_patterns: Type.Optional(
    texts('Subset of `user_agent_patterns` that lose against any other named agent, regardless of length', 50),
  ),
  loose_patterns: Type.Optional(
    texts(
      "Subset of `user_agent_patterns` that also match parts of words, contact addresses and an app's own User-Agent. " +
        'Other patterns only match whole names.',
      50,
    ),
  ),
  excluded_prefixes: Type.Optional(
    texts('Texts that exclude a match directly after them, such as "like ". Case-insensitive.', 20, 50),
  ),
  sample_user_agents: Type.Optional(texts('Sample User-Agent for each pattern, in the same order', 50, 4_096)),
  robots_token: nullable({
    minLength: 1,
    maxLength: 200,
    description: 'Product token for robots.txt. Null if the agent has none.',
  }),
  verification: Type.Object(
    {
      reverse_dns_suffixes: Type.Optional(
        texts("Domains of the agent's confirmed host names, including subdomains", 100, 253),
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
          { maxItems: 50, description: 'Address lists published by the operator' },
        ),
      ),
      ip_ranges: Type.Optional(texts('Address ranges in CIDR notation', 100_000, 50)),
      ip_ranges_as_of: Type.Optional(
        Type.String({ minLength: 1, maxLength: 10, description: 'Date of `ip_ranges`. Absent if they are current.' }),
      ),
      signature_agents: Type.Optional(texts('Hosts or URLs of the Web Bot Auth key directories', 50, 2_048)),
    },
    { additionalProperties: false, description: 'Verification methods. Empty if the catalog lists none.' },
  ),
  generic: Type.Optional(
    Type.Boolean({
      description:
        'Whether this is a library or framework that others build on. Any other named agent takes precedence.',
    }),
  ),
  framework: Type.Optional(Type.Boolean({ description: 'Whether this generic agent takes precedence over libraries' })),
  robots_only: Type.Optional(
    Type.Boolean({ description: 'Whether the agent only appears in robots.txt, and never in a User-Agent' }),
  ),
  signature_only: Type.Optional(
    Type.Boolean({
      description: "Whether the agent sends a regular browser's User-Agent and is only recognized by its signature",
    }),
  ),
  sources: Type.Optional(texts('Sources of this data', 50, 200)),
};

export const AGENT_ORIGINS = ['bundled', 'feed', 'own'] as const;
type AgentOrigin = (typeof AGENT_ORIGINS)[number];

/** Fields of listed agents in addition to {@link AgentRecordSchema}. */
export const agentOriginFields = {
  origin: Type.Unsafe<AgentOrigin>({
    type: 'string',
    enum: [...AGENT_ORIGINS],
    description: '`bundled`: part of the release. `feed`: accepted from a feed. `own`: added on this instance.',
  }),
  is_edited: Type.Boolean({
    description: 'Whether a bundled agent or an agent from a feed was changed on this instance',
  }),
  changed_at: Type.String({
    format: 'date-time',
    description: 'When the agent was added, or last changed by a person or a feed',
  }),
};

export const AgentRecordSchema = Type.Object(agentFields, {
  $id: 'AgentRecord',
  additionalProperties: false,
  description: 'Agent, as in a data file',
});
export const AgentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'UUIDv5 of the lower-cased token' }),
    ...agentOriginFields,
    feed: Type.Optional(
      Type.Object(
        {
          id: nullable({ format: 'uuid', description: 'Feed ID. Null if the feed was removed.' }),
          name: Type.String(),
          url: nullable({ description: 'Feed URL. Null for an uploaded file.' }),
          accepted_at: Type.String({ format: 'date-time', description: 'When this version of the agent was accepted' }),
          gone_at: nullable({
            format: 'date-time',
            description: 'When the agent disappeared from the feed. Null if it is still listed.',
          }),
        },
        { description: 'Feed that the agent was accepted from. Absent for other agents.' },
      ),
    ),
    ...agentFields,
    faults: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }), {
        description: 'Patterns that this release would no longer accept. They still match.',
      }),
    ),
  },
  { $id: 'Agent' },
);
export const AgentPageSchema = Type.Object(
  {
    agents: Type.Array(AgentSchema, { description: 'Agents, sorted by token' }),
    next_cursor: nullable({ description: 'Cursor of the next page. Null on the last page.' }),
    catalog_version: Type.String({ description: 'Version of the catalog in use' }),
  },
  { $id: 'AgentPage' },
);
const counted = { agents: Type.Integer(), robots_tokens: Type.Integer() };
export const CatalogSummarySchema = Type.Object(
  {
    agents: Type.Integer(),
    types: Type.Array(Type.Object({ type: Type.String(), ...counted }), {
      description: 'Number of agents, and of those with a robots.txt token, by type',
    }),
    operators: Type.Array(Type.Object({ operator: Type.String(), ...counted }), {
      description: 'Number of agents, and of those with a robots.txt token, by operator. Sorted by name.',
    }),
  },
  { $id: 'CatalogSummary' },
);
/** Maximum number of agents in a data file. */
export const MAX_AGENTS = 10_000;

export const AgentImportSchema = Type.Array(Type.Unknown(), {
  $id: 'AgentImport',
  maxItems: MAX_AGENTS,
  description: 'Agents as in a data file. They replace existing agents with the same token.',
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
        description: 'ID of the project whose proxy and host name settings apply. Without it, the defaults apply.',
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
    client_address: nullable({ description: 'Client address used for the identification' }),
    identification: EnrichedIdentificationSchema,
  },
  { $id: 'Explanation', description: 'Identification with its evidence' },
);

export const NewTestVisitSchema = Type.Object(
  { url: Type.String({ format: 'uri', maxLength: 2_048, description: 'URL of a page (http or https)' }) },
  { $id: 'NewTestVisit', additionalProperties: false },
);
export const TestVisitSchema = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers to send unchanged within five minutes',
    }),
    agent_token: Type.String(),
    signature_agent: Type.String(),
    key_id: Type.String(),
  },
  { $id: 'TestVisit', description: 'Request signed by the test agent, for the caller to send' },
);

export type AgentListItem = Static<typeof AgentSchema>;
export type AgentPage = Static<typeof AgentPageSchema>;
export type CatalogSummary = Static<typeof CatalogSummarySchema>;
export type AgentImportResult = Static<typeof AgentImportResultSchema>;
export type Explanation = Static<typeof ExplanationSchema>;
export type TestVisit = Static<typeof TestVisitSchema>;
export type AgentRecord = Static<typeof AgentRecordSchema>;
