import { createHmac, randomBytes } from 'node:crypto';
import { SignedCookie } from './signed-cookie.js';

/** A browser in which somebody has signed in. */
export interface KnownDevice {
  /** What its attempts are counted by. */
  id: string;
  /** Keyed hash of the account's address. */
  account: string;
}

const MAX_AGE_SECONDS = 365 * 86_400;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * The cookie of a device in which an account has signed in, so that whoever guesses at the account elsewhere does not
 * lock it out there. It opens nothing: the password is still asked for. OWASP, "Slow Down Online Guessing Attacks with
 * Device Cookies".
 */
export class DeviceCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_device');
  }

  /** @param header of the request. @returns null unless it names a device that was signed in here. */
  deviceIn(header: string | undefined): KnownDevice | null {
    const [, id, account] = VALUE.exec(this.valueIn(header) ?? '') ?? [];
    return id === undefined || account === undefined ? null : { id, account };
  }

  /** Whether somebody has signed in to the account in this device. */
  isOf({ account }: KnownDevice, email: string): boolean {
    return account === this.accountOf(email);
  }

  /**
   * The value of a `Set-Cookie` header, after a sign-in to the account. A device that is known stays the one that it was:
   * a new one would begin with attempts that nobody has counted.
   *
   * @param header of the request, with its cookies.
   */
  issue(email: string, header: string | undefined): string {
    const known = this.deviceIn(header);
    const id = known !== null && this.isOf(known, email) ? known.id : randomBytes(16).toString('base64url');
    const value = this.sign(`${id}.${this.accountOf(email)}`);
    const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${this.isSecure ? '; Secure' : ''}`;
    return `${this.name}=${value}; ${attributes}`;
  }

  private accountOf(email: string): string {
    return createHmac('sha256', this.secret).update(`account ${email.trim().toLowerCase()}`).digest('base64url');
  }
}
