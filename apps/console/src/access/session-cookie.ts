import { SESSION_COOKIE } from '#libs/contracts';
import { SignedCookie } from './signed-cookie.js';

/** How long a session lasts without use. */
export const SESSION_SECONDS = 30 * 86_400;

/** The cookie of a session, which holds the session's token. */
export class SessionCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, SESSION_COOKIE);
  }

  /** @param header of the request. @returns null unless it holds a token that was signed by us. */
  tokenIn(header: string | undefined): string | null {
    return this.valueIn(header);
  }

  /** Returns the value of a `Set-Cookie` header. */
  issue(token: string): string {
    return this.setCookie(this.sign(token), SESSION_SECONDS);
  }

  /** Returns the value of a `Set-Cookie` header that removes the cookie. */
  remove(): string {
    return this.setCookie('', 0);
  }
}
