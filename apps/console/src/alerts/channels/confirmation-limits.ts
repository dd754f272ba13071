import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';

const CONFIRMATION_BUCKET: BucketKind = { name: 'mail-confirmations', failsOpen: false };
/** Limits are low because the recipients didn't request these emails. The limit per address applies across projects. */
const LIMITS = {
  instance: { burst: 200, perSecond: 1 / 30 },
  project: { burst: 20, perSecond: 1 / 600 },
  address: { burst: 3, perSecond: 1 / 86_400 },
} satisfies Record<string, RateLimit>;

/** Limits emails that ask people to confirm their address. */
@Injectable()
export class ConfirmationLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /**
   * Counts an email toward the rate limits.
   *
   * @returns Seconds to wait, or 0 if the email can be sent now.
   */
  async count(projectId: string, address: string): Promise<number> {
    const buckets = { address: hash('sha256', address), project: projectId, instance: 'all' };
    for (const kind of ['address', 'project', 'instance'] as const) {
      const { allowed, retryAfterSeconds } = await this.limiter.take(
        CONFIRMATION_BUCKET,
        `${kind} ${buckets[kind]}`,
        1,
        LIMITS[kind],
      );
      if (!allowed) return retryAfterSeconds;
    }
    return 0;
  }
}
