import { createHmac, randomBytes } from 'node:crypto';
import { SignedCookie } from './signed-cookie.js';

interface KnownDevice {
  /** Identifies the device in rate limits. */
  id: string;
  /** Keyed hash of the account's email address. */
  account: string;
}

const MAX_AGE_SECONDS = 365 * 86_400;
/** Maximum number of accounts per browser. The least recent sign-ins are dropped. */
const MAX_ACCOUNTS = 10;
const DEVICES = /([\w-]{22})\.([\w-]{43})(?:\.|$)/gy;

/**
 * Cookie of a browser in which accounts have signed in. Guesses from elsewhere don't lock them out in this browser. It
 * grants no access: the password is still required. See OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export class DeviceCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_device');
  }

  /**
   * Returns the device of the account that signed in most recently.
   *
   * @param header `Cookie` header of the request.
   * @returns null without a validly signed cookie.
   */
  deviceIn(header: string | undefined): KnownDevice | null {
    return this.devicesIn(header)[0] ?? null;
  }

  /** Returns the device of an account, or null if the account hasn't signed in with this browser. */
  deviceOf(email: string, header: string | undefined): KnownDevice | null {
    const account = this.accountOf(email);
    return this.devicesIn(header).find((device) => device.account === account) ?? null;
  }

  /**
   * Returns a `Set-Cookie` value that marks the browser as known to the account. A known device keeps its ID: a new ID
   * would reset its rate limit.
   *
   * @param header `Cookie` header of the request.
   * @param former Previous email address of the account, if it has just changed.
   */
  issue(email: string, header: string | undefined, former = email): string {
    const id = this.deviceOf(former, header)?.id ?? randomBytes(16).toString('base64url');
    const accounts = [this.accountOf(email), this.accountOf(former)];
    const others = this.devicesIn(header).filter(({ account }) => !accounts.includes(account));
    const devices = [{ id, account: accounts[0] }, ...others].slice(0, MAX_ACCOUNTS);
    return this.setCookie(
      this.sign(devices.map((device) => `${device.id}.${device.account}`).join('.')),
      MAX_AGE_SECONDS,
    );
  }

  private devicesIn(header: string | undefined): KnownDevice[] {
    return Array.from((this.valueIn(header) ?? '').matchAll(DEVICES), ([, id, account]) => ({
      id: id!,
      account: account!,
    }));
  }

  private accountOf(email: string): string {
    return createHmac('sha256', this.secret).update(`account ${email.trim().toLowerCase()}`).digest('base64url');
  }
}
