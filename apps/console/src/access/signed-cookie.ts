import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Cookie that contains a value, a dot, and the value's HMAC-SHA256 in base64. It can't be forged without the secret, not
 * even with a copy of the database.
 */
export class SignedCookie {
  /** Over HTTPS, prefixed with `__Host-`, so neither other hosts nor plain HTTP can set it (RFC 6265bis). */
  readonly name: string;
  readonly isSecure: boolean;

  constructor(
    readonly secret: string,
    publicUrl: string,
    name: string,
  ) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.name = this.isSecure ? `__Host-${name}` : name;
  }

  /** Returns the value from a `Cookie` header, or null without a valid signature. */
  protected valueIn(header: string | undefined): string | null {
    const start = `${this.name}=`;
    const cookie = header?.split(';').find((part) => part.trimStart().startsWith(start));
    if (cookie === undefined) return null;
    const value = decoded(cookie.trim().slice(start.length));
    const dot = value.lastIndexOf('.');
    const [token, signature] = [value.slice(0, Math.max(dot, 0)), Buffer.from(value.slice(dot + 1), 'base64')];
    const expected = this.signatureOf(token);
    return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : null;
  }

  protected sign(value: string): string {
    return encodeURIComponent(`${value}.${this.signatureOf(value).toString('base64')}`);
  }

  /** Returns a `Set-Cookie` value. Scripts can't read the cookie. */
  protected setCookie(value: string, maxAgeSeconds: number): string {
    const secure = this.isSecure ? '; Secure' : '';
    return `${this.name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  private signatureOf(value: string): Buffer {
    return createHmac('sha256', this.secret).update(value).digest();
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
