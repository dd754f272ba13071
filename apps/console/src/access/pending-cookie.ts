import { SignedCookie } from './signed-cookie.js';

/** Cookie for a sign-in that is waiting for its second factor. It grants no access. */
export class PendingCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string, name = 'agent_traffic_sign_in') {
    super(secret, publicUrl, name);
  }

  /** Returns the token from a `Cookie` header, or null if it contains no validly signed one. */
  readToken(header: string | undefined): string | null {
    return this.readValue(header);
  }

  issue(token: string, seconds: number): string {
    return this.setCookie(this.sign(token), seconds);
  }

  remove(): string {
    return this.setCookie('', 0);
  }
}

/** Cookie for a passkey challenge. */
export class PasskeyCookie extends PendingCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_passkey');
  }
}

/** Cookie with the `state` parameter of a sign-in at the OpenID provider. */
export class OidcCookie extends PendingCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_oidc');
  }
}
