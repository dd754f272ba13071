import { Secret, TOTP } from 'otpauth';

/** Steps that a clock may be ahead or behind. */
const DRIFT_STEPS = 1;

/** Whether a text has the form of a code. The library throws for some texts that don't. */
export const isTimeCode = (text: string): boolean => /^\d{6}$/.test(text);

/** Returns a new secret of 160 bits in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the time step whose code this is, among the steps around a time; null: of none. */
export function stepOf(code: string, secret: string, now: number): number | null {
  if (!isTimeCode(code)) return null;
  const totp = totpOf(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** Returns the address that an authenticator app reads from a picture. @param issuer our name in the app. */
export const setupAddress = (secret: string, issuer: string, account: string): string =>
  totpOf(secret, { issuer, label: account }).toString();

/** With the parameters that authenticator apps support: SHA-1, six digits, 30 s (RFC 6238). */
const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
