import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the `purpose` for sealing a project's Vercel drain secret. The console and the gateway must use the same one.
 */
export const drainSecretPurpose = (projectId: string): string => `drain secret ${projectId}`;

/**
 * Encrypts short secrets at rest with AES-256-GCM. Each sealed value consists of a version byte, nonce, tag and
 * ciphertext.
 */
export class SecretBox {
  private readonly key: Buffer;
  private readonly previousKey: Buffer | null;

  /**
   * @param key 32-byte key as hex (64 characters) or base64.
   * @param previous Previous key during a key rotation. It's only used for decryption.
   */
  constructor(key: string, previous?: string) {
    this.key = parseKey(key);
    this.previousKey = previous === undefined ? null : parseKey(previous);
  }

  get isRotating(): boolean {
    return this.previousKey !== null;
  }

  static generateKey(): string {
    return randomBytes(32).toString('hex');
  }

  static isValidKey(text: string): boolean {
    return decodeKey(text).length === KEY_BYTES;
  }

  /** Derives a secret for another purpose with HKDF (RFC 5869). Returns 32 bytes as hex. */
  derive(purpose: string): string {
    return Buffer.from(hkdfSync('sha256', this.key, '', purpose, 32)).toString('hex');
  }

  /**
   * Encrypts a secret.
   *
   * @param purpose Authenticated along with the ciphertext, so a sealed value can't be moved to another row.
   */
  seal(secret: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
  }

  /**
   * Decrypts a secret.
   *
   * @throws {Error} if the key or purpose is wrong, or if the sealed value was altered.
   */
  open(sealed: Buffer, purpose: string): string {
    if (this.previousKey !== null && this.findKey(sealed, purpose) === 'previous') {
      return decrypt(this.previousKey, sealed, purpose);
    }
    return decrypt(this.key, sealed, purpose);
  }

  /** Returns which key decrypts the sealed value, or null if neither does. */
  findKey(sealed: Buffer, purpose: string): 'current' | 'previous' | null {
    for (const [name, key] of [
      ['current', this.key],
      ['previous', this.previousKey],
    ] as const) {
      try {
        if (key !== null && decrypt(key, sealed, purpose) !== undefined) return name;
      } catch {
        // Decryption failed, so try the other key.
      }
    }
    return null;
  }
}

const decodeKey = (text: string): Buffer => Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');

function parseKey(text: string): Buffer {
  const key = decodeKey(text);
  if (key.length !== KEY_BYTES) throw new Error('The secret key must be 32 bytes, encoded as hex or base64');
  return key;
}

function decrypt(key: Buffer, sealed: Buffer, purpose: string): string {
  if (sealed[0] !== VERSION) throw new Error('The secret has an unsupported format version');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
  return decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
