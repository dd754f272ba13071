import { Type, type Static } from 'typebox';

/** Path of the public keys that statements are signed with. */
export const STATEMENT_KEYS_PATH = '/.well-known/agent-traffic-statement-keys.json';
/** Maximum length of a statement's range, in days. */
export const MAX_STATEMENT_DAYS = 366;
/** Maximum number of fetches in a statement. All of them are read from the visit store. */
export const MAX_STATEMENT_FETCHES = 250_000;
/** Maximum number of disallowed fetches that a statement lists one by one. All of them are counted. */
export const MAX_LISTED_FETCHES = 10_000;
/** Maximum number of client addresses that a statement lists. */
export const MAX_LISTED_ADDRESSES = 1_000;

export const StatementKeySchema = Type.Object(
  {
    kty: Type.String({ description: 'Always `OKP`' }),
    crv: Type.String({ description: 'Always `Ed25519`' }),
    x: Type.String({ description: 'Public key in base64url' }),
    kid: Type.String({ description: 'RFC 7638 thumbprint, which statements contain as `key_id`' }),
    use: Type.String({ description: 'Always `sig`' }),
    alg: Type.String({ description: 'Always `Ed25519`' }),
    created_at: Type.String({ format: 'date-time', description: 'Time at which the key was created' }),
    replaced_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'Time at which another key replaced this one and its private key was deleted. Null for the current key.',
    }),
  },
  { $id: 'StatementKey', description: 'Public key as a JWK (RFC 7517, RFC 8037)' },
);

export const StatementKeySetSchema = Type.Object(
  { keys: Type.Array(StatementKeySchema, { description: 'All keys that have ever signed statements, newest first' }) },
  { $id: 'StatementKeySet', description: 'Public keys as a JWK Set (RFC 7517)' },
);

export const NewStatementKeySchema = Type.Object({}, { $id: 'NewStatementKey', additionalProperties: false });

export type StatementKey = Static<typeof StatementKeySchema>;
export type StatementKeySet = Static<typeof StatementKeySetSchema>;
