import { Type, type Static } from 'typebox';
import { UserSchema } from './account.schema.js';

/** Number of recovery codes per second factor. */
export const RECOVERY_CODE_COUNT = 10;

export const OwnSecondFactorSchema = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    recovery_codes_left: Type.Integer({
      description: `Number of unused recovery codes, out of ${RECOVERY_CODE_COUNT}`,
    }),
  },
  { $id: 'OwnSecondFactor' },
);
export const NewSecondFactorSchema = Type.Object(
  {
    secret: Type.String({ description: 'Base32-encoded secret for an authenticator app. Shown only once.' }),
    url: Type.String({ description: '`otpauth` URL that contains the secret, for a QR code' }),
  },
  { $id: 'NewSecondFactor' },
);
export const RecoveryCodesSchema = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Single-use codes that can be used instead of a code from the app. Shown only once.',
    }),
  },
  { $id: 'RecoveryCodes' },
);
/** Code from an authenticator app, or a recovery code. */
const SecondFactorCode = Type.String({ minLength: 1, maxLength: 100 });
export const SecondFactorCodeSchema = Type.Object(
  { code: SecondFactorCode },
  { $id: 'SecondFactorCode', additionalProperties: false },
);
/** Response to a successful password check. */
export const SignInResponseSchema = Type.Object(
  {
    user: Type.Unsafe<Static<typeof UserSchema> | null>({
      anyOf: [UserSchema, { type: 'null' }],
      description: 'Signed-in user. Null if a second factor is required.',
    }),
    second_factor_required: Type.Boolean({
      description: 'Whether a code must be sent to `POST /api/session/second-factor` to finish signing in',
    }),
  },
  { $id: 'SignInAnswer' },
);

export type OwnSecondFactor = Static<typeof OwnSecondFactorSchema>;
export type NewSecondFactor = Static<typeof NewSecondFactorSchema>;
export type RecoveryCodes = Static<typeof RecoveryCodesSchema>;
export type SignInResponse = Static<typeof SignInResponseSchema>;
