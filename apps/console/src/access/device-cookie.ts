import { createHmac, randomBytes } from 'node:crypto';
import { SignedCookie } from './signed-cookie.js';

/** A browser in which an account has signed in. */
export interface KnownDevice {
  /** Its attempts are counted by this. */
  id: string;
  /** Keyed hash of the account's address. */
  account: string;
}

const MAX_AGE_SECONDS = 365 * 86_400;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * The cookie of a device in which an account has signed in, so that guesses from elsewhere do not lock the account out
 * there. It grants nothing: the password is still required. OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies".
 */
export class DeviceCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_device');
  }

  /** @param header of the request. @returns null unless it holds a device that was signed by us. */
  deviceIn(header: string | undefined): KnownDevice | null {
    const [, id, account] = VALUE.exec(this.valueIn(header) ?? '') ?? [];
    return id === undefined || account === undefined ? null : { id, account };
  }

  /** Whether the account has signed in on this device. */
  isOf({ account }: KnownDevice, email: string): boolean {
    return account === this.accountOf(email);
  }

  /**
   * Returns the value of a `Set-Cookie` header, after a sign-in to the account. A known device keeps its id: a new one
   * would start with a full allowance of attempts.
   *
   * @param header of the request, with its cookies.
   */
  issue(email: string, header: string | undefined): string {
    const known = this.deviceIn(header);
    const id = known !== null && this.isOf(known, email) ? known.id : randomBytes(16).toString('base64url');
    return this.setCookie(this.sign(`${id}.${this.accountOf(email)}`), MAX_AGE_SECONDS);
  }

  private accountOf(email: string): string {
    return createHmac('sha256', this.secret).update(`account ${email.trim().toLowerCase()}`).digest('base64url');
  }
}
