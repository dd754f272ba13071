import type { Parameters } from 'structured-headers';
import type { SignatureReason } from '../vocabulary.js';

/** Allowed clock difference, in seconds. Applies to both ends of a validity period. */
const TOLERANCE_SECONDS = 30;
const MAX_LIFETIME_SECONDS = 86_400;

/** Parameters of a Web Bot Auth signature. Times are in seconds since the epoch. */
export interface SignatureParameters {
  created: number;
  expires: number;
  keyid: string;
  alg: string | null;
}

/**
 * Parses the parameters. Returns the fault `missing_parameters`, or `signature_input_unreadable` if a parameter has the
 * wrong type or `expires` isn't after `created`.
 */
export function parseSignatureParameters(parameters: Parameters): SignatureParameters | { fault: SignatureReason } {
  const created = parameters.get('created');
  const expires = parameters.get('expires');
  const keyid = parameters.get('keyid');
  const alg = parameters.get('alg');
  const nonce = parameters.get('nonce');
  if (created === undefined || expires === undefined || keyid === undefined) return { fault: 'missing_parameters' };
  if (!isInteger(created) || !isInteger(expires) || expires <= created || typeof keyid !== 'string')
    return UNREADABLE_FAULT;
  if (nonce !== undefined && typeof nonce !== 'string') return UNREADABLE_FAULT;
  if (alg !== undefined && typeof alg !== 'string') return UNREADABLE_FAULT;
  return { created, expires, keyid, alg: alg ?? null };
}

const UNREADABLE_FAULT: { fault: SignatureReason } = { fault: 'signature_input_unreadable' };

function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/**
 * Checks the validity period. Returns null if the signature is valid at the given time.
 *
 * @param at Time in milliseconds since the epoch. NaN is rejected.
 */
export function checkSignatureTime({ created, expires }: SignatureParameters, at: number): SignatureReason | null {
  const now = at / 1_000;
  if (!(created <= now + TOLERANCE_SECONDS)) return 'created_in_future';
  return now <= Math.min(expires, created + MAX_LIFETIME_SECONDS) + TOLERANCE_SECONDS ? null : 'expired';
}

/** Like {@link checkSignatureTime}, but for the validity period of a key, in milliseconds since the epoch. */
export function checkKeyTime(
  { notBefore, expires }: { notBefore: number | null; expires: number | null },
  at: number,
): SignatureReason | null {
  if (notBefore !== null && !(notBefore <= at + TOLERANCE_SECONDS * 1_000)) return 'key_not_yet_valid';
  return expires === null || at <= expires + TOLERANCE_SECONDS * 1_000 ? null : 'key_expired';
}
