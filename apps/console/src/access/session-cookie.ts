import { SESSION_COOKIE } from '#libs/contracts';
import { SignedCookie } from './signed-cookie.js';

/** The cookie of a session, which holds the session's token. */
export class SessionCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, SESSION_COOKIE);
  }

  /** @param header of the request. @returns null unless it holds a token that was signed by us. */
  tokenIn(header: string | undefined): string | null {
    return this.valueIn(header);
  }
}
