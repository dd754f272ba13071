import { createHmac, randomBytes } from 'node:crypto';
import { SignedCookie } from './signed-cookie.js';

/** A browser in which an account has signed in. */
interface KnownDevice {
  /** Its attempts at the account are counted by this. */
  id: string;
  /** Keyed hash of the account's address. */
  account: string;
}

const MAX_AGE_SECONDS = 365 * 86_400;
/** Accounts that share a browser, the last to sign in first. */
const MAX_ACCOUNTS = 10;
const DEVICES = /([\w-]{22})\.([\w-]{43})(?:\.|$)/gy;

/**
 * The cookie of a browser in which accounts have signed in, so that guesses from elsewhere do not lock them out there. It
 * grants nothing: the password is still required. OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export class DeviceCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_device');
  }

  /** The device of the account that signed in last. @param header of the request. @returns null unless we signed it. */
  deviceIn(header: string | undefined): KnownDevice | null {
    return this.devicesIn(header)[0] ?? null;
  }

  /** The device as that of an account. @returns null unless the account has signed in on it. */
  deviceOf(email: string, header: string | undefined): KnownDevice | null {
    const account = this.accountOf(email);
    return this.devicesIn(header).find((device) => device.account === account) ?? null;
  }

  /**
   * Returns the value of a `Set-Cookie` header, after a sign-in to the account. A known device keeps its id: a new one
   * would start with a full allowance of attempts.
   *
   * @param header of the request, with its cookies.
   * @param former address of the account, which it no longer has.
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
