import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type RateLimit } from '#libs/cache';
import { networkOf, tooManyRequests } from '#libs/platform';
import type { FastifyRequest } from 'fastify';

/** Whoever mistypes now and then never meets these; whoever guesses does. */
const LIMITS = {
  /** Of a network: sign-ins, set-ups, acceptances, password changes. */
  network: { burst: 20, perSecond: 1 / 15 },
  /** Of an account, from wherever: 10 and then one a minute. */
  account: { burst: 10, perSecond: 1 / 60 },
  /** Of the setup code, from wherever. */
  setup: { burst: 20, perSecond: 1 / 15 },
} satisfies Record<string, RateLimit>;

/** Counts attempts at what can be guessed. */
@Injectable()
export class AttemptsService {
  constructor(@Inject(RateLimiter) private readonly limiter: RateLimiter) {}

  /** @throws ProblemError 429 */
  async signIn(request: FastifyRequest, email: string): Promise<void> {
    await this.fromNetwork(request);
    // Kept in Redis for a while, where addresses have no business.
    await this.take(`sign-in:${hash('sha256', email.trim().toLowerCase())}`, LIMITS.account);
  }

  /** @throws ProblemError 429 */
  async password(request: FastifyRequest, userId: string): Promise<void> {
    await this.fromNetwork(request);
    await this.take(`password:${userId}`, LIMITS.account);
  }

  /** @throws ProblemError 429 */
  async setup(request: FastifyRequest): Promise<void> {
    await this.fromNetwork(request);
    await this.take('setup', LIMITS.setup);
  }

  /** @throws ProblemError 429 */
  async fromNetwork(request: FastifyRequest): Promise<void> {
    await this.take(`accounts:${networkOf(request.clientAddress)}`, LIMITS.network);
  }

  private async take(bucket: string, limit: RateLimit): Promise<void> {
    const { allowed, retryAfter } = await this.limiter.take(bucket, 1, limit);
    if (allowed) return;
    throw tooManyRequests(`There were too many attempts. Try again in ${retryAfter} s.`, retryAfter);
  }
}
