import { createHmac, randomBytes } from 'node:crypto';
import { SignedCookie } from './signed-cookie.js';

interface KnownDevice {
  /** Device ID for rate limits. */
  id: string;
  /** Keyed hash of the account's email address. */
  account: string;
}

const MAX_AGE_SECONDS = 365 * 86_400;
/** Maximum number of accounts per browser. The accounts with the least recent sign-ins are dropped. */
const MAX_ACCOUNTS = 10;
const DEVICE_PATTERN = /([\w-]{22})\.([\w-]{43})(?:\.|$)/gy;

/**
 * Cookie that marks a browser as known to the accounts that have signed in with it. It ensures that failed guesses in
 * other browsers can't lock these accounts out in this one. The cookie grants no access, because the password is still
 * required. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
export class DeviceCookie extends SignedCookie {
  constructor(secret: string, publicUrl: string) {
    super(secret, publicUrl, 'agent_traffic_device');
  }

  /**
   * Returns the device entry of the account that signed in most recently.
   *
   * @param header `Cookie` header of the request.
   * @returns Null if the request has no validly signed cookie.
   */
  readDevice(header: string | undefined): KnownDevice | null {
    return this.readDevices(header)[0] ?? null;
  }

  /** Returns an account's device entry, or null if the account hasn't signed in with this browser. */
  findDevice(email: string, header: string | undefined): KnownDevice | null {
    const account = this.hashAccount(email);
    return this.readDevices(header).find((device) => device.account === account) ?? null;
  }

  /**
   * Returns a `Set-Cookie` value that marks the browser as known to the account. A known device retains its ID, because
   * a new one would reset its rate limit.
   *
   * @param header `Cookie` header of the request.
   * @param previousEmail Previous email address of the account, if it was just changed.
   */
  issue(email: string, header: string | undefined, previousEmail = email): string {
    const id = this.findDevice(previousEmail, header)?.id ?? randomBytes(16).toString('base64url');
    const accounts = [this.hashAccount(email), this.hashAccount(previousEmail)];
    const others = this.readDevices(header).filter(({ account }) => !accounts.includes(account));
    const devices = [{ id, account: accounts[0] }, ...others].slice(0, MAX_ACCOUNTS);
    return this.setCookie(
      this.sign(devices.map((device) => `${device.id}.${device.account}`).join('.')),
      MAX_AGE_SECONDS,
    );
  }

  private readDevices(header: string | undefined): KnownDevice[] {
    return Array.from((this.readValue(header) ?? '').matchAll(DEVICE_PATTERN), ([, id, account]) => ({
      id: id!,
      account: account!,
    }));
  }

  private hashAccount(email: string): string {
    return createHmac('sha256', this.secret).update(`account ${email.trim().toLowerCase()}`).digest('base64url');
  }
}
