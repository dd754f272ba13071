import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * A cookie with a value and an HMAC-SHA256 of it, in base64, behind a dot. Without the secret nobody makes one, not
 * even with all of the database at hand.
 */
export class SignedCookie {
  /** With the prefix that keeps other hosts and plain HTTP from setting it, where it can be had (RFC 6265bis). */
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

  /** @param header of the request. @returns null unless it holds a value that was signed here. */
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

  /** As the value of a cookie. */
  protected sign(value: string): string {
    return encodeURIComponent(`${value}.${this.signatureOf(value).toString('base64')}`);
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
