import { Secret, TOTP } from 'otpauth';

/** Time steps that a device's clock may be ahead or behind. */
const DRIFT_STEPS = 1;

/** Returns true for six digits. The library throws for some other texts. */
export const isTimeCode = (text: string): boolean => /^\d{6}$/.test(text);

/** Creates a 160-bit secret, in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the time step of a code, or null if it doesn't match any step around `now`. */
export function stepOf(code: string, secret: string, now: number): number | null {
  if (!isTimeCode(code)) return null;
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** Returns the `otpauth:` URL for an authenticator app's QR code. @param issuer Name of the instance in the app. */
export const setupAddress = (secret: string, issuer: string, account: string): string =>
  totpOf(secret, { issuer, label: account }).toString();

/** Uses the parameters that all authenticator apps support (RFC 6238). */
const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
