import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Cookie that consists of a value, a dot, and the value's HMAC-SHA256 in base64. It can't be forged without the secret,
 * even with a copy of the database.
 */
export class SignedCookie {
  /**
   * Name of the cookie. The `__Host-` prefix on HTTPS sites ensures that neither other hosts nor plain HTTP can set it
   * (RFC 6265bis).
   */
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

  /** Returns the value from a `Cookie` header, or null if its signature is missing or invalid. */
  protected readValue(header: string | undefined): string | null {
    const start = `${this.name}=`;
    const cookie = header?.split(';').find((part) => part.trimStart().startsWith(start));
    if (cookie === undefined) return null;
    const value = decodeOrEmpty(cookie.trim().slice(start.length));
    const dot = value.lastIndexOf('.');
    const [token, signature] = [value.slice(0, Math.max(dot, 0)), Buffer.from(value.slice(dot + 1), 'base64')];
    const expected = this.computeSignature(token);
    return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : null;
  }

  protected sign(value: string): string {
    return encodeURIComponent(`${value}.${this.computeSignature(value).toString('base64')}`);
  }

  /** Returns a `Set-Cookie` value for a cookie that scripts can't read. */
  protected setCookie(value: string, maxAgeSeconds: number): string {
    const secure = this.isSecure ? '; Secure' : '';
    return `${this.name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  private computeSignature(value: string): Buffer {
    return createHmac('sha256', this.secret).update(value).digest();
  }
}

function decodeOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
