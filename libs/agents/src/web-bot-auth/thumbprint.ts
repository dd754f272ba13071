import { createHash } from 'node:crypto';

export type Jwk = Record<string, unknown>;

/** Members of a thumbprint in order, by key type (RFC 7638, section 3.2, and RFC 8037, section 2). */
const MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['OKP', ['crv', 'kty', 'x']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['RSA', ['e', 'kty', 'n']],
]);

/**
 * Returns the RFC 7638 thumbprint (SHA-256, base64url) of a public or private key. Uses its members as written.
 *
 * @throws {TypeError} if the key type is unsupported or a member is missing.
 */
export function thumbprint(jwk: Jwk): string {
  const members = MEMBERS.get(jwk['kty']);
  if (members === undefined) throw new TypeError(`No thumbprint for keys of type ${JSON.stringify(jwk['kty'])}`);
  const missing = members.find((member) => typeof jwk[member] !== 'string');
  if (missing !== undefined) throw new TypeError(`No thumbprint without the member ${missing}`);
  const text = JSON.stringify(Object.fromEntries(members.map((member) => [member, jwk[member]])));
  return createHash('sha256').update(text).digest('base64url');
}

/** Thumbprints of keys with private parts published in RFCs. */
export const TEST_KEYS: ReadonlySet<string> = new Set([
  // RFC 9421, B.1.1–B.1.4: test-key-rsa, test-key-rsa-pss, test-key-ecc-p256 and test-key-ed25519.
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  // RFC 7517, A.2: elliptic curve key, and RSA key, which is also in RFC 7638, section 3.1.
  'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  // RFC 8037, A.1.
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
]);
