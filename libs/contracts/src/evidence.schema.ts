import { Type } from 'typebox';

const nullable = (description: string, extra: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, ...extra });
const text = (description: string) => Type.String({ description });
const reason = text('ok, or why it is so; docs/verification.md explains each');
const outcome = (...values: string[]) =>
  Type.String({ enum: values, description: 'What it says; one that says nothing conclusive is no accusation' });
const method = <const M extends string>(name: M) => Type.Literal(name, { type: 'string' });

const SignatureStepSchema = Type.Object(
  {
    method: method('http_message_signature'),
    outcome: outcome('verified', 'invalid', 'unverified'),
    reason,
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
    method: method('ip_range'),
    outcome: outcome('pass', 'fail', 'unknown'),
    reason,
    range: nullable('The block that holds the address'),
    list_url: nullable("Where the block is published; null for one of the catalog's own"),
    as_of: nullable('When the ranges were fetched, of several lists the oldest', { format: 'date-time' }),
  },
  { $id: 'IpRangeStep', description: "The agent's published addresses" },
);

const ReverseDnsStepSchema = Type.Object(
  {
    method: method('reverse_dns'),
    outcome: outcome('pass', 'fail', 'unknown'),
    reason,
    host_names: Type.Array(Type.String(), { description: "What the address's PTR records say" }),
    confirmed_host_name: nullable('The one that leads back to the address'),
  },
  { $id: 'ReverseDnsStep', description: 'Forward-confirmed reverse DNS' },
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
    client_address_reason: text('How the address was chosen, or why there is none'),
    steps: Type.Array(Type.Union([SignatureStepSchema, IpRangeStepSchema, ReverseDnsStepSchema, LaterStepSchema]), {
      description: 'Every check, in order',
    }),
  }),
  { $id: 'Evidence', description: 'What the result rests on' },
);
