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
  'Searched in the User-Agent as a whole name, ignoring case. A portable subset of regular expressions: printable ASCII, where ' +
  '^ $ . * + ? ( ) [ ] { } | and \\ are escaped with \\; . and classes such as [\\w.-] and [^)]; \\d and \\w; ^, $, \\b ' +
  'and \\B; | and (?:…); and ?, *, + and {2,80} of a single character or class, ? also of a group. At most one repetition ' +
  'has no upper bound. No look-arounds, back-references or capturing groups. Each requires a text of 3 characters';

const agentFields = {
  token: Type.String({ minLength: 1, maxLength: 200, description: 'Display name, unique ignoring case' }),
  type: Type.Unsafe<AgentType>({ type: 'string', enum: [...AGENT_TYPES], description: 'What kind of agent it is' }),
  behaviors: agentBehaviors('What it does with pages, as far as known; an agent can have several behaviors'),
  ended_on: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10,
      description: 'Date on which its operator ended it; later visits imitate it',
    }),
  ),
  operator: nullable({ minLength: 1, maxLength: 200, description: 'The company behind it; null if unknown' }),
  url: nullable({ minLength: 1, maxLength: 2_048, description: 'Where its operator describes it; null if nowhere' }),
  user_agent_patterns: texts(PATTERNS, 50, MAX_PATTERN_LENGTH),
  fallback_patterns: Type.Optional(
    texts('Those of user_agent_patterns over which any named agent wins, however short', 50),
  ),
  loose_patterns: Type.Optional(
    texts(
      "Those of user_agent_patterns that also match part of a word, in a contact address, and in an app's own User-Agent; " +
        'others match whole names only',
      50,
    ),
  ),
  excluded_prefixes: Type.Optional(
    texts('A match directly after one of these texts does not count, such as "like "; ignoring case', 20, 50),
  ),
  sample_user_agents: Type.Optional(texts('For each pattern, a User-Agent that it matches', 50, 4_096)),
  robots_token: nullable({
    minLength: 1,
    maxLength: 200,
    description: 'Product token for robots.txt; null if it has none',
  }),
  verification: Type.Object(
    {
      reverse_dns_suffixes: Type.Optional(texts('Its confirmed host name equals one of these or ends in it', 100, 253)),
      ip_list_urls: Type.Optional(
        Type.Array(
          Type.Object(
            {
              url: Type.String({ minLength: 1, maxLength: 2_048 }),
              format: Type.String({ minLength: 1, maxLength: 500 }),
            },
            { additionalProperties: false },
          ),
          { maxItems: 50, description: 'Address lists that its operator publishes' },
        ),
      ),
      ip_ranges: Type.Optional(texts('Its addresses, as CIDR', 100_000, 50)),
      ip_ranges_as_of: Type.Optional(
        Type.String({ minLength: 1, maxLength: 10, description: 'Date of ip_ranges; absent: they are current' }),
      ),
      signature_agents: Type.Optional(texts('Hosts or addresses of its Web Bot Auth key directories', 50, 2_048)),
    },
    { additionalProperties: false, description: 'How it can be verified; empty where the catalog lists no way to' },
  ),
  generic: Type.Optional(
    Type.Boolean({ description: 'A library or framework that others build on: any named agent wins over it' }),
  ),
  framework: Type.Optional(Type.Boolean({ description: 'Of generic agents, one that wins over libraries' })),
  robots_only: Type.Optional(Type.Boolean({ description: 'Never sent in a User-Agent' })),
  signature_only: Type.Optional(Type.Boolean({ description: "Sends a stock browser's User-Agent" })),
  sources: Type.Optional(texts('Where the facts came from', 50, 200)),
};

/** Where an agent came from. */
export const AGENT_ORIGINS = ['bundled', 'feed', 'own'] as const;
type AgentOrigin = (typeof AGENT_ORIGINS)[number];

/** Of an agent in a list, beside what is known of it. */
export const agentOriginFields = {
  origin: Type.Unsafe<AgentOrigin>({
    type: 'string',
    enum: [...AGENT_ORIGINS],
    description: 'Came with the release, was accepted from a feed, or was added here',
  }),
  is_edited: Type.Boolean({ description: 'It came with the release or from a feed and was changed here' }),
  changed_at: Type.String({
    format: 'date-time',
    description: 'When it was added, or last changed by a person or a feed',
  }),
};

export const AgentRecordSchema = Type.Object(agentFields, {
  $id: 'AgentRecord',
  additionalProperties: false,
  description: 'An agent, as a data file has it; nothing in it is unbounded',
});
export const AgentSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'UUIDv5 of the lower-cased token' }),
    ...agentOriginFields,
    feed: Type.Optional(
      Type.Object(
        {
          id: nullable({ format: 'uuid', description: 'null once the feed was removed' }),
          name: Type.String(),
          url: nullable({ description: 'null for a file' }),
          accepted_at: Type.String({ format: 'date-time', description: 'When this version of it was accepted' }),
          gone_at: nullable({ format: 'date-time', description: 'Since when the feed no longer has it' }),
        },
        { description: 'Where it came from; absent unless it came from a feed' },
      ),
    ),
    ...agentFields,
    faults: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }), {
        description: 'Patterns that an earlier release took and this one would refuse; they still find the agent',
      }),
    ),
  },
  { $id: 'Agent' },
);
export const AgentPageSchema = Type.Object(
  {
    agents: Type.Array(AgentSchema, { description: 'By token' }),
    next_cursor: nullable({ description: 'null at the end' }),
    catalog_version: Type.String({ description: 'Version of the catalog in use' }),
  },
  { $id: 'AgentPage' },
);
const counted = { agents: Type.Integer(), robots_tokens: Type.Integer() };
export const CatalogSummarySchema = Type.Object(
  {
    agents: Type.Integer(),
    types: Type.Array(Type.Object({ type: Type.String(), ...counted }), {
      description: 'Agents of each type that has any, and how many of them have a token for robots.txt',
    }),
    operators: Type.Array(Type.Object({ operator: Type.String(), ...counted }), {
      description: 'The same of each operator that is known, by name',
    }),
  },
  { $id: 'CatalogSummary' },
);
/** Agents in one data file. */
export const MAX_AGENTS = 10_000;

export const AgentImportSchema = Type.Array(Type.Unknown(), {
  $id: 'AgentImport',
  maxItems: MAX_AGENTS,
  description: 'Agents as a data file has them; those whose token is known replace it',
});
export const AgentImportResultSchema = Type.Object(
  { added: Type.Integer(), changed: Type.Integer(), unchanged: Type.Integer() },
  { $id: 'AgentImportResult' },
);
export const AgentExportSchema = Type.Array(AgentRecordSchema, { $id: 'AgentExport' });

export const ExplanationRequestSchema = Type.Object(
  {
    project_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Its settings for proxies and host names count; else the defaults' }),
    ),
    request_method: Type.Optional(Type.String({ maxLength: 64 })),
    request_path: Type.Optional(Type.String({ maxLength: VISIT_LIMITS.pathLength })),
    request_headers: HeadersSchema,
    client_address: ClientAddressSchema,
  },
  { $id: 'ExplanationRequest', additionalProperties: true },
);
export const ExplanationSchema = Type.Object(
  { client_address: nullable({ description: 'The address believed' }), identification: EnrichedIdentificationSchema },
  { $id: 'Explanation', description: 'An identification with its evidence' },
);

export const NewTestVisitSchema = Type.Object(
  { url: Type.String({ format: 'uri', maxLength: 2_048, description: 'http or https address of a page' }) },
  { $id: 'NewTestVisit', additionalProperties: false },
);
export const TestVisitSchema = Type.Object(
  {
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent as they are, within five minutes' }),
    agent_token: Type.String(),
    signature_agent: Type.String(),
    key_id: Type.String(),
  },
  { $id: 'TestVisit', description: 'A request signed by the test agent, for the caller to send' },
);

export type AgentListItem = Static<typeof AgentSchema>;
export type AgentPage = Static<typeof AgentPageSchema>;
export type CatalogSummary = Static<typeof CatalogSummarySchema>;
export type AgentImportResult = Static<typeof AgentImportResultSchema>;
export type Explanation = Static<typeof ExplanationSchema>;
export type TestVisit = Static<typeof TestVisitSchema>;
export type AgentRecord = Static<typeof AgentRecordSchema>;
