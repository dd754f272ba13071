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
/** What every step has, with the reasons of its method and the outcomes that they stand for. */
const step = (method: VerificationMethod, reasons: Record<string, readonly [outcome: string, sentence: string]>) => ({
  method: Type.Literal(method, { type: 'string' }),
  outcome: Type.String({
    enum: [...new Set(Object.values(reasons).map(([outcome]) => outcome))],
    description: 'What it says; an inconclusive one does not count against the agent',
  }),
  reason: openEnum(Object.keys(reasons), 'ok, or why not; docs/verification.md explains each'),
  judged_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Of a visit that was identified again: when this check was made, where it cannot be repeated. Absent where it was made with the rest',
    }),
  ),
});

const SignatureStepSchema = Type.Object(
  {
    ...step('http_message_signature', SIGNATURE_REASONS),
    label: nullable('Label in Signature-Input'),
    key_id: nullable('RFC 7638 thumbprint of the key'),
    algorithm: nullable('As RFC 9421 names it'),
    signature_agent: nullable('As the Signature-Agent header has it'),
    directory_url: nullable('The key directory that it stands for'),
    agent_token: nullable('The agent that the directory belongs to'),
    created: nullable('From when it holds', { format: 'date-time' }),
    expires: nullable('Until when it holds', { format: 'date-time' }),
    covered_components: Type.Array(Type.String(), { description: 'What of the request it covers' }),
  },
  { $id: 'SignatureStep', description: 'A signature of the request: Web Bot Auth, RFC 9421' },
);

const IpRangeStepSchema = Type.Object(
  {
    ...step('ip_range', IP_RANGE_REASONS),
    range: nullable('The block that holds the address'),
    list_url: nullable("Where the block is published; null for one of the catalog's own"),
    as_of: nullable('When the ranges were fetched, of several lists the oldest', { format: 'date-time' }),
  },
  { $id: 'IpRangeStep', description: "The agent's published addresses" },
);

const ReverseDnsStepSchema = Type.Object(
  {
    ...step('reverse_dns', REVERSE_DNS_REASONS),
    host_names: Type.Array(Type.String(), { description: "What the address's PTR records say" }),
    confirmed_host_name: nullable('The one that leads back to the address'),
  },
  { $id: 'ReverseDnsStep', description: 'Forward-confirmed reverse DNS' },
);

const AddressOriginSchema = Type.Object(
  {
    agent_token: Type.String({ description: 'Agent that the range is published for' }),
    operator_name: nullable('The company behind it'),
    range: Type.String({ description: 'The block that holds the address' }),
    list_url: nullable("Where the block is published; null for one of the catalog's own"),
    as_of: nullable('When the ranges were fetched', { format: 'date-time' }),
  },
  { description: 'Published range that a visitor who names no agent came from. It proves nothing' },
);

/** Messages of a later release may be under way while services are updated. */
const LaterStepSchema = Type.Object(
  { method: Type.String() },
  { $id: 'OtherStep', description: 'A method that this release does not know: pass over it' },
);

/**
 * What a result rests on: the agent of the User-Agent, the client's address, and every check in order. Visits of earlier
 * releases have less of it, so nothing is required.
 */
export const EvidenceSchema = Type.Partial(
  Type.Object({
    user_agent_match: nullable('The part of the User-Agent that named an agent'),
    user_agent_token: nullable('That agent'),
    client_address_source: nullable('The header that the address was taken from; null for the peer of the connection'),
    client_address_reason: openEnum(
      Object.keys(CLIENT_ADDRESS_REASONS),
      'How the address was chosen, or why there is none',
    ),
    client_address_note: openEnum(
      Object.keys(CLIENT_ADDRESS_NOTES),
      'How far the address can be believed, if it was taken from a header that the project does not vouch for',
    ),
    address_origin: AddressOriginSchema,
    steps: Type.Array(Type.Union([SignatureStepSchema, IpRangeStepSchema, ReverseDnsStepSchema, LaterStepSchema]), {
      description: 'Every check, in order',
    }),
  }),
  { $id: 'Evidence', description: 'What the result rests on' },
);
export type Evidence = Static<typeof EvidenceSchema>;
export type IpRangeStep = Static<typeof IpRangeStepSchema>;
export type ReverseDnsStep = Static<typeof ReverseDnsStepSchema>;
export type SignatureStep = Static<typeof SignatureStepSchema>;
