import { createHash, createPublicKey, generateKeyPair, sign, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** Public key as a JWK (RFC 7517, RFC 8037). Other members are ignored. */
export interface PublicStatementKey {
  kty: string;
  crv: string;
  /** Public key in base64url. */
  x: string;
  kid: string;
}

export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  id: string;
  privateKey: KeyObject;
}

type StatementCheck = { isValid: true; keyId: string; format: 'html' | 'ndjson' } | { isValid: false; fault: string };

const HTML_START = '<!doctype html>';
/** Text before the signature's digits. It's the last text that the signature covers. */
const BEFORE_DIGITS = '"signature":"';
/** Text after the signature's digits. */
const TAILS = { html: '"}-->\n', ndjson: '"}\n' } as const;
/** Length of an Ed25519 signature in hexadecimal digits. */
const DIGITS = 128;

/** Returns the encryption context that binds the ciphertext of a private key to its row. */
export const statementKeyPurpose = (id: string): string => `statement key ${id}`;

/** Creates an Ed25519 key pair. */
export async function createStatementKey(): Promise<{ publicKey: PublicStatementKey; privateKey: KeyObject }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ed25519');
  const { crv, kty, x } = publicKey.export({ format: 'jwk' }) as { crv: string; kty: string; x: string };
  // Members in the order that RFC 8037, appendix A.3, requires for the thumbprint.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { publicKey: { kty, crv, x, kid }, privateKey };
}

/**
 * Returns the file's last line, which contains the signature.
 *
 * @param body All preceding bytes: lines of JSON, or an HTML document that starts with `<!doctype html>`.
 */
export function signStatement(body: Buffer, { id, privateKey }: SigningKey): string {
  const format = getFormat(body);
  const record = JSON.stringify({ record: 'signature', algorithm: 'Ed25519', key_id: id, signature: '' });
  const line = (format === 'html' ? '<!--' : '') + record.slice(0, -'"}'.length);
  const signature = sign(null, Buffer.concat([body, Buffer.from(line)]), privateKey);
  return line + signature.toString('hex') + TAILS[format];
}

/** Checks that one of the keys signed exactly these bytes. */
export function verifyStatement(bytes: Buffer, keys: readonly PublicStatementKey[]): StatementCheck {
  const format = getFormat(bytes);
  const tail = TAILS[format];
  const end = bytes.length - tail.length;
  const signed = bytes.subarray(0, Math.max(0, end - DIGITS));
  const digits = bytes.subarray(signed.length, end).toString('latin1');
  const signature = Buffer.from(digits, 'hex');
  const isComplete =
    signed.subarray(-BEFORE_DIGITS.length).toString('latin1') === BEFORE_DIGITS &&
    bytes.subarray(end).toString('latin1') === tail &&
    // Rejects uppercase digits, so the same signature has only one spelling.
    signature.toString('hex') === digits;
  if (!isComplete) return { isValid: false, fault: 'The file has no signature, is incomplete, or was changed.' };
  const keyId = readKeyId(signed, format);
  const key = keys.find(({ kid }) => kid === keyId);
  if (key === undefined) {
    return { isValid: false, fault: `None of the keys has the ID of the statement's key (${JSON.stringify(keyId)}).` };
  }
  const publicKey = readPublicKey(key);
  if (publicKey === null) return { isValid: false, fault: `The key ${keyId} isn't an Ed25519 key.` };
  const isValid = verify(null, signed, publicKey, signature);
  if (isValid) return { isValid, keyId: key.kid, format };
  return { isValid, fault: 'The signature does not match: the file was changed, or another key signed it.' };
}

function readPublicKey({ kty, crv, x }: PublicStatementKey): KeyObject | null {
  try {
    const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

const getFormat = (bytes: Buffer): 'html' | 'ndjson' =>
  bytes.subarray(0, HTML_START.length).toString('latin1') === HTML_START ? 'html' : 'ndjson';

/** Returns the key ID in the last line, or null if the line is malformed. */
function readKeyId(signed: Buffer, format: 'html' | 'ndjson'): unknown {
  const line = signed.subarray(signed.lastIndexOf(10) + 1).toString('utf8');
  try {
    const record = JSON.parse(`${line.slice(format === 'html' ? '<!--'.length : 0)}"}`) as { key_id?: unknown };
    return record.key_id ?? null;
  } catch {
    return null;
  }
}
