import { SignedCookie } from './signed-cookie.js';

/** The cookie of a browser whose sign-in waits for its second step, which holds the token of that. It opens nothing. */
export class PendingCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string, name = 'agent_traffic_sign_in') {
    super(secret, publicUrl, name);
  }

  /** @param header of the request. @returns null unless it holds a token that was signed by us. */
  tokenIn(header: string | undefined): string | null {
    return this.valueIn(header);
  }

  /** Returns the value of a `Set-Cookie` header. */
  issue(token: string, seconds: number): string {
    return this.setCookie(this.sign(token), seconds);
  }

  /** Returns the value of a `Set-Cookie` header that removes it. */
  remove(): string {
    return this.setCookie('', 0);
  }
}

/** The cookie of a browser that was asked for a passkey, which holds the token of what it is to sign. */
export class PasskeyCookie extends PendingCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_passkey');
  }
}

/** The cookie of a browser that was sent to the OpenID provider, which holds the state of that sign-in. */
export class OidcCookie extends PendingCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_oidc');
  }
}
