import { Inject, Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit, type RateLimitState } from '#libs/cache';
import { ProblemError } from '#libs/platform';
import type { FastifyReply } from 'fastify';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../gateway-settings.js';

const VISITS: BucketKind = { name: 'visits', failsOpen: true };

/** Limits how many visits per second each project can record. The number of requests isn't limited. */
@Injectable()
export class RateLimitService {
  private readonly rate: RateLimit | null;

  constructor(
    private readonly limiter: RateLimiter,
    @Inject(GATEWAY_SETTINGS) { visitRate }: Pick<GatewaySettings, 'visitRate'>,
  ) {
    this.rate = visitRate;
  }

  get enabled(): boolean {
    return this.rate !== null;
  }

  /**
   * Checks the project's limit before the body is read. Doesn't count the request toward the limit.
   *
   * @throws {ProblemError} 429 if the limit is used up.
   */
  async admit(projectId: string, reply: FastifyReply): Promise<void> {
    const state = await this.take(projectId, 0, reply);
    if (state === null || state.allowed) return;
    throw new ProblemError(
      'too-many-requests',
      `The project may post ${this.rate!.perSecond} visits a second. Try again in ${state.retryAfterSeconds} s.`,
      { headers: { 'retry-after': String(state.retryAfterSeconds) } },
    );
  }

  /** Counts the visits in an admitted request toward the limit. Never rejects the request. */
  async charge(projectId: string, visits: number, reply: FastifyReply): Promise<void> {
    await this.take(projectId, visits, reply);
  }

  private async take(projectId: string, cost: number, reply: FastifyReply): Promise<RateLimitState | null> {
    if (this.rate === null) return null;
    const { perSecond, burst } = this.rate;
    const state = await this.limiter.take(VISITS, projectId, cost, this.rate);
    // draft-ietf-httpapi-ratelimit-headers
    void reply.header('ratelimit-policy', `"visits";q=${burst};w=${Math.max(1, Math.round(burst / perSecond))}`);
    void reply.header('ratelimit', `"visits";r=${state.remaining};t=${state.resetAfterSeconds}`);
    return state;
  }
}
