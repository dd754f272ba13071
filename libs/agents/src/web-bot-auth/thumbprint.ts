import { createHash } from 'node:crypto';

export type Jwk = Record<string, unknown>;

/** Required members in thumbprint order, by key type (RFC 7638, section 3.2, and RFC 8037, section 2). */
const THUMBPRINT_MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['OKP', ['crv', 'kty', 'x']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['RSA', ['e', 'kty', 'n']],
]);

/**
 * Returns the RFC 7638 thumbprint of a public or private key: SHA-256 in base64url. Members aren't normalized.
 *
 * @throws {TypeError} if the key type is unsupported or a member is missing.
 */
export function computeThumbprint(jwk: Jwk): string {
  const members = THUMBPRINT_MEMBERS.get(jwk['kty']);
  if (members === undefined) throw new TypeError(`Unsupported key type: ${JSON.stringify(jwk['kty'])}`);
  const missing = members.find((member) => typeof jwk[member] !== 'string');
  if (missing !== undefined) throw new TypeError(`The key is missing the member ${missing}`);
  const text = JSON.stringify(Object.fromEntries(members.map((member) => [member, jwk[member]])));
  return createHash('sha256').update(text).digest('base64url');
}

/** Thumbprints of test keys whose private keys are published in RFCs. */
export const TEST_KEY_THUMBPRINTS: ReadonlySet<string> = new Set([
  // RFC 9421, B.1.1–B.1.4: test-key-rsa, test-key-rsa-pss, test-key-ecc-p256 and test-key-ed25519.
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  // RFC 7517, A.2: an elliptic curve key and an RSA key. The latter is also in RFC 7638, section 3.1.
  'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s',
  'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  // RFC 8037, A.1.
  'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
]);
