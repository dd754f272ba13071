import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#libs/platform';

const PASS_LIFETIME_MS = 12 * 3_600_000;

interface LockedLink {
  id: string;
  /** Password hash. It is part of the signature, so a pass becomes invalid when the password changes. */
  password: string | null;
}

/**
 * Issues passes to visitors who entered a link's password. A pass consists of its expiry and an HMAC-SHA256 over the
 * expiry and the link. It isn't a cookie, because embedded pages must be able to use it too.
 */
export class SharedPass {
  constructor(
    private readonly secret: string,
    private readonly now: Clock,
  ) {}

  issue(link: LockedLink): { pass: string; expires_at: string } {
    const expiresAt = this.now() + PASS_LIFETIME_MS;
    return { pass: `${expiresAt}.${this.sign(link, expiresAt)}`, expires_at: new Date(expiresAt).toISOString() };
  }

  isValid(pass: string, link: LockedLink): boolean {
    const [expiresAt = '', signature = ''] = pass.split('.');
    const [actual, expected] = [Buffer.from(signature), Buffer.from(this.sign(link, Number(expiresAt)))];
    return Number(expiresAt) > this.now() && actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  private sign({ id, password }: LockedLink, expiresAt: number): string {
    return createHmac('sha256', this.secret).update(`${id} ${expiresAt} ${password}`).digest('base64url');
  }
}
