import { createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_COOKIE } from '#libs/contracts';

/**
 * The cookie of a session: the session's token and an HMAC-SHA256 of it, in base64, behind a dot. Without the secret
 * nobody makes a cookie of a token, not even with all of the database at hand.
 */
export class SessionCookie {
  /** With the prefix that keeps other hosts and plain HTTP from setting it, where it can be had (RFC 6265bis). */
  readonly name: string;
  readonly isSecure: boolean;

  constructor(
    readonly secret: string,
    publicUrl: string,
  ) {
    this.isSecure = new URL(publicUrl).protocol === 'https:';
    this.name = this.isSecure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
  }

  /** @param header of the request. @returns null unless it holds a token that was signed here. */
  tokenIn(header: string | undefined): string | null {
    const start = `${this.name}=`;
    const cookie = header?.split(';').find((part) => part.trimStart().startsWith(start));
    if (cookie === undefined) return null;
    const value = decoded(cookie.trim().slice(start.length));
    const dot = value.lastIndexOf('.');
    const [token, signature] = [value.slice(0, Math.max(dot, 0)), Buffer.from(value.slice(dot + 1), 'base64')];
    const expected = createHmac('sha256', this.secret).update(token).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected) ? token : null;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
