import { Type, type Static } from 'typebox';
import { IDENTIFICATION_RESULTS, type IdentificationResult } from './enriched-visit.schema.js';
import { ClientAddressSchema, HeadersSchema, VISIT_LIMITS } from './visit.schema.js';

/** Maximum number of items in `POST /agent-identifications`. */
export const MAX_IDENTIFICATIONS = 1_000;

/** Request header that contains the caller's timeout in milliseconds. */
export const TIMEOUT_HEADER = 'Agent-Traffic-Timeout-Ms';

const RequestPath = Type.String({
  maxLength: VISIT_LIMITS.pathLength,
  description: 'Request path, including the query. Signatures can cover both.',
  examples: ['/articles/1?page=2'],
});

const optional = <T extends 'string'>(type: T, extra: object) =>
  Type.Optional(Type.Unsafe<string | null>({ type: [type, 'null'], ...extra }));

export const IdentificationRequestSchema = Type.Object(
  {
    id: optional('string', { description: 'ID that you choose for the request. It is returned with the result.' }),
    request_headers: HeadersSchema,
    client_address: ClientAddressSchema,
  },
  {
    $id: 'IdentificationRequest',
    additionalProperties: true,
    description: 'Request to identify, with all its headers',
  },
);

export const VerificationRequestSchema = Type.Object(
  { request_path: RequestPath, request_headers: HeadersSchema, client_address: ClientAddressSchema },
  {
    $id: 'VerificationRequest',
    additionalProperties: true,
    description: 'Request to verify, with its path and all its headers',
  },
);

const resultFields = {
  result: Type.Unsafe<IdentificationResult>({
    type: 'string',
    enum: [...IDENTIFICATION_RESULTS],
    description: 'Whether the visitor is the agent it claims to be',
  }),
  agent_id: Type.Optional(Type.String({ format: 'uuid', description: 'Agent ID. Absent if no agent was identified.' })),
  agent_token: Type.Optional(Type.String({ description: 'Agent name' })),
  agent_url: Type.Optional(
    Type.String({ description: "URL of the operator's page about the agent. Absent if unknown." }),
  ),
  agent_type_name: Type.Optional(Type.String({ description: 'Agent type' })),
  operator_name: Type.Optional(Type.String({ description: 'Company that operates the agent. Absent if unknown.' })),
};

export const VerificationSchema = Type.Object(resultFields, { $id: 'Verification' });
export const IdentificationSchema = Type.Object(
  { id: Type.Optional(Type.String({ description: 'ID from the request' })), ...resultFields },
  { $id: 'IdentificationResult' },
);

/** Results for which `verifyForwardedRequest` can reject a request regardless of the rules. */
export const REJECTABLE_RESULTS = [
  'verification_failed',
  'not_verifiable',
] as const satisfies readonly IdentificationResult[];

const IF_NONE = '`-` if none';
/** Response headers from `verifyForwardedRequest`, with their descriptions. */
export const VERDICT_HEADERS = {
  'Agent-Traffic-Result': `Identification result: ${IDENTIFICATION_RESULTS.map((result) => `\`${result}\``).join(', ')}`,
  'Agent-Traffic-Agent': `Agent token, ${IF_NONE}. In all of these headers, \`%\` and all characters except printable ASCII are percent-encoded as UTF-8.`,
  'Agent-Traffic-Type': `Agent type, ${IF_NONE}`,
  'Agent-Traffic-Operator': `Company that operates the agent, ${IF_NONE} or unknown`,
} as const;

/** Headers with the decisions of a project's policy. */
export const DECISION_HEADERS = {
  'Agent-Traffic-Decision':
    'Outcome, mode and rule ID, such as `slowed;live;018f0000-0000-7000-8000-000000000000`. A rule in dry run is listed after a live one. `-` if no rule matched.',
} as const;

/** Response header with the manifest of a snapshot. */
export const MANIFEST_HEADER = 'Agent-Traffic-Manifest';

export type IdentificationRequest = Static<typeof IdentificationRequestSchema>;
/** Identification as returned by the public operations, without evidence. */
export type PublicIdentification = Static<typeof VerificationSchema>;
