import { Type, type Static } from 'typebox';
import { UserSchema } from './account.schema.js';

/** Recovery codes that a second factor comes with. */
export const RECOVERY_CODES = 10;

/** What the page of one's own account shows of a second factor. */
export const OwnSecondFactorSchema = Type.Object(
  {
    since: Type.String({ format: 'date-time' }),
    recovery_codes_left: Type.Integer({ description: `Of ${RECOVERY_CODES}; each works once` }),
  },
  { $id: 'OwnSecondFactor' },
);
export const NewSecondFactorSchema = Type.Object(
  {
    secret: Type.String({ description: 'For an authenticator app, in base32; shown once' }),
    url: Type.String({ description: 'The same as an `otpauth` address, which apps read from a QR code' }),
  },
  { $id: 'NewSecondFactor' },
);
export const RecoveryCodesSchema = Type.Object(
  { recovery_codes: Type.Array(Type.String(), { description: 'Each stands in for the app once; shown once' }) },
  { $id: 'RecoveryCodes' },
);
/** Of an authenticator app, or a recovery code. */
const SecondFactorCode = Type.String({ minLength: 1, maxLength: 100 });
export const SecondFactorCodeSchema = Type.Object(
  { code: SecondFactorCode },
  { $id: 'SecondFactorCode', additionalProperties: false },
);
/** What follows from a password that was right. */
export const SignInAnswerSchema = Type.Object(
  {
    user: Type.Unsafe<Static<typeof UserSchema> | null>({
      anyOf: [UserSchema, { type: 'null' }],
      description: 'Who is signed in now; null: nobody yet',
    }),
    second_factor_required: Type.Boolean({
      description: 'Send a code of the second factor to `POST /api/session/second-factor` to finish',
    }),
  },
  { $id: 'SignInAnswer' },
);

export type OwnSecondFactor = Static<typeof OwnSecondFactorSchema>;
export type NewSecondFactor = Static<typeof NewSecondFactorSchema>;
export type RecoveryCodes = Static<typeof RecoveryCodesSchema>;
export type SignInAnswer = Static<typeof SignInAnswerSchema>;
