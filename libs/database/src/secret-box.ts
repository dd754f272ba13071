import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the `purpose` of a project's Vercel drain secret. The console encrypts it, and the gateway decrypts it. */
export const drainSecretPurpose = (projectId: string): string => `drain secret ${projectId}`;

/** Encrypts short secrets at rest with AES-256-GCM. Format: version, nonce, tag, ciphertext. */
export class SecretBox {
  private readonly key: Buffer;
  private readonly previousKey: Buffer | null;

  /**
   * @param key 32 bytes as hex (64 characters) or base64.
   * @param previous old key during a key rotation. It only decrypts.
   */
  constructor(key: string, previous?: string) {
    this.key = keyOf(key);
    this.previousKey = previous === undefined ? null : keyOf(previous);
  }

  get isRotating(): boolean {
    return this.previousKey !== null;
  }

  static newKey(): string {
    return randomBytes(32).toString('hex');
  }

  static isKey(text: string): boolean {
    return bytesOf(text).length === KEY_BYTES;
  }

  /** Derives another secret with HKDF (RFC 5869): 32 bytes as hex. */
  derive(purpose: string): string {
    return Buffer.from(hkdfSync('sha256', this.key, '', purpose, 32)).toString('hex');
  }

  /** @param purpose authenticated with the ciphertext, so it can't be moved to another row. */
  seal(secret: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
  }

  /** @throws Error if the key or purpose is wrong, or the ciphertext was changed. */
  open(sealed: Buffer, purpose: string): string {
    if (this.previousKey !== null && this.keyOf(sealed, purpose) === 'previous') {
      return openWith(this.previousKey, sealed, purpose);
    }
    return openWith(this.key, sealed, purpose);
  }

  /** Returns which key decrypts a secret, or `null` if neither does. */
  keyOf(sealed: Buffer, purpose: string): 'current' | 'previous' | null {
    for (const [name, key] of [
      ['current', this.key],
      ['previous', this.previousKey],
    ] as const) {
      try {
        if (key !== null && openWith(key, sealed, purpose) !== undefined) return name;
      } catch {
        // Try the next key.
      }
    }
    return null;
  }
}

const bytesOf = (text: string): Buffer => Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');

function keyOf(text: string): Buffer {
  const key = bytesOf(text);
  if (key.length !== KEY_BYTES) throw new Error('the secret key must be 32 bytes, as hex or base64');
  return key;
}

function openWith(key: Buffer, sealed: Buffer, purpose: string): string {
  if (sealed[0] !== VERSION) throw new Error('the secret was sealed by another version');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose)).setAuthTag(tag);
  return decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
