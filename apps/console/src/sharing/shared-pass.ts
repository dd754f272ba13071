import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#libs/platform';

const VALID_MS = 12 * 3_600_000;

interface LockedLink {
  id: string;
  /** Password hash. It's part of the signature, so a pass is only valid for this password. */
  password: string | null;
}

/**
 * Issues passes to people who entered a link's password. A pass consists of its expiry and an HMAC-SHA256 of the expiry
 * and the link. It's not a cookie, because an embedded page must be able to use it, too.
 */
export class SharedPass {
  constructor(
    private readonly secret: string,
    private readonly now: Clock,
  ) {}

  issue(link: LockedLink): { pass: string; expires_at: string } {
    const end = this.now() + VALID_MS;
    return { pass: `${end}.${this.signatureOf(link, end)}`, expires_at: new Date(end).toISOString() };
  }

  isValid(pass: string, link: LockedLink): boolean {
    const [end = '', signature = ''] = pass.split('.');
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.signatureOf(link, Number(end)))];
    return Number(end) > this.now() && given.length === expected.length && timingSafeEqual(given, expected);
  }

  private signatureOf({ id, password }: LockedLink, end: number): string {
    return createHmac('sha256', this.secret).update(`${id} ${end} ${password}`).digest('base64url');
  }
}
