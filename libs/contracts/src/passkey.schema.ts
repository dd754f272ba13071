import { Type, type Static } from 'typebox';
import { BASE64_URL_PATTERN } from './patterns.js';
import { Name } from './text.schema.js';

/** Maximum number of passkeys per account. */
export const MAX_PASSKEYS = 20;

const Time = Type.String({ format: 'date-time' });
const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: BASE64_URL_PATTERN });

export const PasskeySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Name,
    host: Type.String({ description: 'Host name that the passkey works on' }),
    created_at: Time,
    last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  },
  { $id: 'Passkey' },
);
export const PasskeyNameSchema = Type.Object({ name: Name }, { $id: 'PasskeyName', additionalProperties: false });

/** WebAuthn options to pass to the browser unchanged (Level 3, section 5.1.9). */
export const PasskeyOptionsSchema = Type.Object(
  { options: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }) },
  { $id: 'PasskeyOptions' },
);

/** Returns a schema for the fields of the browser's WebAuthn response that are used (Level 3, section 5.1). */
const credential = <T extends Parameters<typeof Type.Object>[0]>(response: T) =>
  Type.Object({
    id: Base64Url(1_400),
    rawId: Base64Url(1_400),
    type: Type.Literal('public-key'),
    response: Type.Object(response),
  });

export const NewPasskeySchema = Type.Object(
  {
    name: Name,
    credential: credential({ clientDataJSON: Base64Url(4_000), attestationObject: Base64Url(8_000) }),
  },
  { $id: 'NewPasskey', additionalProperties: false },
);
export const PasskeySignInSchema = Type.Object(
  {
    credential: credential({
      clientDataJSON: Base64Url(4_000),
      authenticatorData: Base64Url(4_000),
      signature: Base64Url(4_000),
      userHandle: Type.Optional(Base64Url(100)),
    }),
  },
  { $id: 'PasskeySignIn', additionalProperties: false },
);

export type Passkey = Static<typeof PasskeySchema>;
export type NewPasskey = Static<typeof NewPasskeySchema>;
export type PasskeySignIn = Static<typeof PasskeySignInSchema>;
