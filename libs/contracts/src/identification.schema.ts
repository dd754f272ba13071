import { Type, type Static } from 'typebox';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { ClientAddressSchema, HeadersSchema, VISIT_LIMITS } from './visit.schema.js';

/** Items of `POST /agent-identifications`, at most. */
export const MAX_IDENTIFICATIONS = 1_000;

/** Header of a request with the milliseconds for which the caller waits. */
export const TIMEOUT_HEADER = 'Agent-Traffic-Timeout-Ms';

const RequestPath = Type.String({
  maxLength: VISIT_LIMITS.pathLength,
  description: 'Path of the request, with its query: a signature may cover both',
  examples: ['/articles/1?page=2'],
});

/** A field that may be absent or null. */
const optional = <T extends 'string'>(type: T, extra: object) =>
  Type.Optional(Type.Unsafe<string | null>({ type: [type, 'null'], ...extra }));

export const IdentificationRequestSchema = Type.Object(
  {
    id: optional('string', { description: 'Comes back with the result' }),
    request_headers: HeadersSchema,
    client_address: ClientAddressSchema,
  },
  { $id: 'IdentificationRequest', additionalProperties: true, description: 'All headers of a request' },
);

export const VerificationRequestSchema = Type.Object(
  { request_path: RequestPath, request_headers: HeadersSchema, client_address: ClientAddressSchema },
  { $id: 'VerificationRequest', additionalProperties: true, description: 'Path and all headers of a request' },
);

const resultFields = {
  result: Type.Unsafe<IdentificationResult>({
    type: 'string',
    enum: [...IDENTIFICATION_RESULTS],
    description: 'Whether the visitor is who it says it is',
  }),
  agent_id: Type.Optional(Type.String({ format: 'uuid', description: 'The agent, if identified' })),
  agent_token: Type.Optional(Type.String({ description: 'Its name' })),
  agent_url: Type.Optional(Type.String({ description: 'Where its operator describes it, where that is known' })),
  agent_type_name: Type.Optional(Type.String({ description: 'What kind of agent it is' })),
  operator_name: Type.Optional(Type.String({ description: 'The company behind it, where that is known' })),
};

export const VerificationSchema = Type.Object(resultFields, { $id: 'Verification' });
export const IdentificationSchema = Type.Object(
  { id: Type.Optional(Type.String({ description: 'As in the request' })), ...resultFields },
  { $id: 'IdentificationResult' },
);

/** Results of agents that a proxy can have refused whatever the rules say. */
export const REFUSABLE_RESULTS = [
  'verification_failed',
  'not_verifiable',
] as const satisfies readonly IdentificationResult[];

const NONE = '`-` for none';
/** Headers of the answer about a request that a proxy holds, and what they say. */
export const VERDICT_HEADERS = {
  'Agent-Traffic-Result': `One of ${IDENTIFICATION_RESULTS.map((result) => `\`${result}\``).join(', ')}`,
  'Agent-Traffic-Agent': `The agent; ${NONE}. Of all values: what is not printable ASCII is percent-encoded UTF-8, as is \`%\``,
  'Agent-Traffic-Type': `What kind of agent it is; ${NONE}`,
  'Agent-Traffic-Operator': `The company behind it; ${NONE}, or where it is not known`,
} as const;

export type IdentificationRequest = Static<typeof IdentificationRequestSchema>;
/** What the five endpoints say of an identification, and nothing more. */
export type PublicIdentification = Static<typeof VerificationSchema>;
