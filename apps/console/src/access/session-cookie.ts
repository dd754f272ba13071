import { SESSION_COOKIE } from '#libs/contracts';
import { SignedCookie } from './signed-cookie.js';

/** Lifetime of an unused session. */
export const SESSION_SECONDS = 30 * 86_400;

export class SessionCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, SESSION_COOKIE);
  }

  /** Returns the token from a `Cookie` header, or null if it contains no validly signed one. */
  readToken(header: string | undefined): string | null {
    return this.readValue(header);
  }

  issue(token: string): string {
    return this.setCookie(this.sign(token), SESSION_SECONDS);
  }

  remove(): string {
    return this.setCookie('', 0);
  }
}
