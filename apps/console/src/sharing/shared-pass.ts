import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#libs/platform';

const VALID_MS = 12 * 3_600_000;

interface LockedLink {
  id: string;
  /** Hash. */
  password: string | null;
}

/**
 * What a holder of a link shows once they have given its password: a time and an HMAC-SHA256 over it and the link. It is
 * not a cookie, so that a page in a frame can have it, too.
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
