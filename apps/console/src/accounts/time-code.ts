import { timingSafeEqual } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';

/** As authenticator apps have them, which mostly support nothing else (RFC 6238). */
const STEP_MS = 30_000;
/** Steps that a clock may be ahead or behind. */
const DRIFT_STEPS = 1;

export const SECRET_BYTES = 20;

/** Returns the time step whose code this is, of those around a time; null: of none. */
export async function stepOf(code: string, secret: Uint8Array, now: number): Promise<number | null> {
  const given = Buffer.from(code);
  const current = Math.floor(now / STEP_MS);
  let found: number | null = null;
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
    const expected = Buffer.from(await createOTP(secret).hotp(step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** Returns what an authenticator app reads from a picture. @param issuer what the app calls us. */
export const setupAddress = (secret: Uint8Array, issuer: string, account: string): string =>
  createOTP(secret).url(issuer, account);
