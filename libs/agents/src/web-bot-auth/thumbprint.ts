import { createHash } from 'node:crypto';

/** A JSON Web Key as it comes: anything may be in it. */
export type Jwk = Record<string, unknown>;

/** RFC 7638 section 3.2, RFC 8037 section 2: what a thumbprint is made of, in this order. */
const MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['OKP', ['crv', 'kty', 'x']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['RSA', ['e', 'kty', 'n']],
]);

/**
 * RFC 7638 thumbprint (SHA-256, base64url) of a public or private key, from its members as they are written.
 * @throws {TypeError} for a key that has none: of another type, or with a member missing.
 */
export function thumbprint(jwk: Jwk): string {
  const members = MEMBERS.get(jwk['kty']);
  if (members === undefined) throw new TypeError(`No thumbprint for keys of type ${JSON.stringify(jwk['kty'])}`);
  const missing = members.find((member) => typeof jwk[member] !== 'string');
  if (missing !== undefined) throw new TypeError(`No thumbprint without the member ${missing}`);
  const text = JSON.stringify(Object.fromEntries(members.map((member) => [member, jwk[member]])));
  return createHash('sha256').update(text).digest('base64url');
}

/** Thumbprints of keys whose private parts the RFCs publish. */
export const TEST_KEYS: ReadonlySet<string> = new Set([
  // RFC 9421 B.1.1 to B.1.4: test-key-rsa, test-key-rsa-pss, test-key-ecc-p256, test-key-ed25519.
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  // RFC 7517 A.2: its elliptic curve key and its RSA key, which is that of RFC 7638 section 3.1 too.
  'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  // RFC 8037 A.1.
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
]);
