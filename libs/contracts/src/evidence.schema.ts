import {
  CLIENT_ADDRESS_NOTES,
  CLIENT_ADDRESS_REASONS,
  IP_RANGE_REASONS,
  REVERSE_DNS_REASONS,
  SIGNATURE_REASONS,
  type VerificationMethod,
} from '#libs/agents/vocabulary';
import { Type, type Static } from 'typebox';
import { openEnum } from './open-enum.js';

const nullable = (description: string, extra: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, ...extra });
/** Returns the fields that all steps share. `reasons` maps each of the method's reasons to its outcome. */
const step = (method: VerificationMethod, reasons: Record<string, readonly [outcome: string, sentence: string]>) => ({
  method: Type.Literal(method, { type: 'string' }),
  outcome: Type.String({
    enum: [...new Set(Object.values(reasons).map(([outcome]) => outcome))],
    description: 'Outcome of the check. An inconclusive check does not count against the agent.',
  }),
  reason: openEnum(
    Object.keys(reasons),
    '`ok`, or the reason the check did not pass. docs/verification.md explains each reason.',
  ),
  judged_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Time of the original check. Present only if the visit was re-identified and this check could not be repeated.',
    }),
  ),
});

const SignatureStepSchema = Type.Object(
  {
    ...step('http_message_signature', SIGNATURE_REASONS),
    label: nullable('Label of the signature in Signature-Input'),
    key_id: nullable('Key ID (RFC 7638 thumbprint)'),
    algorithm: nullable('Signature algorithm (RFC 9421)'),
    signature_agent: nullable('Value of the Signature-Agent header in the request'),
    directory_url: nullable('URL of the key directory that Signature-Agent refers to'),
    agent_token: nullable('Name of the agent that the key directory belongs to'),
    created: nullable('Start of the validity period', { format: 'date-time' }),
    expires: nullable('End of the validity period', { format: 'date-time' }),
    covered_components: Type.Array(Type.String(), { description: 'Request components that the signature covers' }),
  },
  { $id: 'SignatureStep', description: 'Verification by request signature (Web Bot Auth, RFC 9421)' },
);

const IpRangeStepSchema = Type.Object(
  {
    ...step('ip_range', IP_RANGE_REASONS),
    range: nullable('IP range that contains the address'),
    list_url: nullable('URL of the list that contains the range. Null if the range comes from the catalog itself.'),
    as_of: nullable(
      'Time at which the ranges were fetched. If they come from several lists, this is the earliest time.',
      {
        format: 'date-time',
      },
    ),
  },
  { $id: 'IpRangeStep', description: "Verification by the operator's published IP addresses" },
);

const ReverseDnsStepSchema = Type.Object(
  {
    ...step('reverse_dns', REVERSE_DNS_REASONS),
    host_names: Type.Array(Type.String(), { description: 'Host names in the PTR records of the address' }),
    confirmed_host_name: nullable('Host name that resolves back to the address'),
  },
  { $id: 'ReverseDnsStep', description: 'Verification by forward-confirmed reverse DNS' },
);

const AddressOriginSchema = Type.Object(
  {
    agent_token: Type.String({ description: 'Name of the agent that the range is published for' }),
    operator_name: nullable('Company that operates the agent'),
    range: Type.String({ description: 'IP range that contains the address' }),
    list_url: nullable('URL of the list that contains the range. Null if the range comes from the catalog itself.'),
    as_of: nullable('Time at which the ranges were fetched', { format: 'date-time' }),
  },
  {
    description:
      "Published range that contains the address of a visitor whose User-Agent doesn't name an agent. It doesn't prove who the visitor is.",
  },
);

/** Accepts messages from newer releases during a rolling deployment. */
const LaterStepSchema = Type.Object(
  { method: Type.String() },
  { $id: 'OtherStep', description: 'Verification method added in a newer release. Ignore it.' },
);

/**
 * Evidence for an identification: the agent named in the User-Agent, the client address, and the checks in order. All
 * fields are optional because visits from earlier releases lack some of them.
 */
export const EvidenceSchema = Type.Partial(
  Type.Object({
    user_agent_match: nullable('Part of the User-Agent that matched an agent'),
    user_agent_token: nullable('Name of the agent that was matched'),
    client_address_source: nullable(
      "Header that the client address was taken from. Null if it is the address of the connection's peer.",
    ),
    client_address_reason: openEnum(
      Object.keys(CLIENT_ADDRESS_REASONS),
      'How the client address was determined, or why it is unknown',
    ),
    client_address_note: openEnum(
      Object.keys(CLIENT_ADDRESS_NOTES),
      'How reliable the client address is, if it comes from a header that the project has not confirmed',
    ),
    address_origin: AddressOriginSchema,
    steps: Type.Array(Type.Union([SignatureStepSchema, IpRangeStepSchema, ReverseDnsStepSchema, LaterStepSchema]), {
      description: 'Checks, in the order in which they were made',
    }),
  }),
  { $id: 'Evidence', description: 'Evidence for the identification result' },
);
export type Evidence = Static<typeof EvidenceSchema>;
export type IpRangeStep = Static<typeof IpRangeStepSchema>;
export type ReverseDnsStep = Static<typeof ReverseDnsStepSchema>;
export type SignatureStep = Static<typeof SignatureStepSchema>;
