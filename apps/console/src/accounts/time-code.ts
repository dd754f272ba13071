import { Secret, TOTP } from 'otpauth';

/** Number of time steps that a device's clock may be ahead or behind. */
const DRIFT_STEPS = 1;

/** Returns whether a text consists of six digits. otpauth throws for some other texts. */
export const isTimeCode = (text: string): boolean => /^\d{6}$/.test(text);

/** Returns a random 160-bit secret in base32. */
export const createSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the time step that a code is for, or null if it matches none of the steps around `now`. */
export function matchTimeStep(code: string, secret: string, now: number): number | null {
  if (!isTimeCode(code)) return null;
  const totp = createTotp(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/**
 * Returns the `otpauth:` URL for a QR code that authenticator apps scan.
 *
 * @param issuer Name of the instance in the app.
 */
export const toSetupUrl = (secret: string, issuer: string, account: string): string =>
  createTotp(secret, { issuer, label: account }).toString();

/** Uses the RFC 6238 parameters that all authenticator apps support. */
const createTotp = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
