import { Type, type Static } from 'typebox';
import { UserSchema } from './account.schema.js';

/** Number of recovery codes per second factor. */
export const RECOVERY_CODES = 10;

export const OwnSecondFactorSchema = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    recovery_codes_left: Type.Integer({ description: `Number of unused recovery codes, out of ${RECOVERY_CODES}` }),
  },
  { $id: 'OwnSecondFactor' },
);
export const NewSecondFactorSchema = Type.Object(
  {
    secret: Type.String({ description: 'Secret for an authenticator app, in Base32. Shown only once.' }),
    url: Type.String({ description: '`otpauth` URL with the secret, for a QR code' }),
  },
  { $id: 'NewSecondFactor' },
);
export const RecoveryCodesSchema = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Single-use codes that replace a code from the app. Shown only once.',
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
/** Result of a successful password check. */
export const SignInAnswerSchema = Type.Object(
  {
    user: Type.Unsafe<Static<typeof UserSchema> | null>({
      anyOf: [UserSchema, { type: 'null' }],
      description: 'Signed-in user, or null if a second factor is required',
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
export type SignInAnswer = Static<typeof SignInAnswerSchema>;
