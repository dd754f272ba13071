import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import { networkOf, tooManyRequests } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { DeviceCookie } from './device-cookie.js';

/** Each has a store of its own, so that a flood from many networks leaves the accounts' buckets as they are. */
const KINDS = {
  /** Requests of a network, or of a known device, that need no credential: before their body is read. */
  open: { name: 'open-requests', failsOpen: false },
  /** Of a network: sign-ins, set-ups, acceptances. */
  network: { name: 'attempts-of-networks', failsOpen: false },
  /** Of an account, from wherever. */
  account: { name: 'attempts-at-accounts', failsOpen: false },
  /** Of a device that has signed in to the account before. */
  device: { name: 'attempts-of-devices', failsOpen: false },
  /** Of all devices that have signed in to the account: each sign-in elsewhere makes one, and its cookie lasts a year. */
  devices: { name: 'attempts-of-all-devices', failsOpen: false },
  /** At the setup code, from wherever. */
  setup: { name: 'attempts-at-setup', failsOpen: false },
} satisfies Record<string, BucketKind>;

/** Whoever mistypes now and then never meets these; whoever guesses does. */
const LIMITS = {
  /** Of an office behind one address, too. */
  open: { burst: 120, perSecond: 2 },
  network: { burst: 20, perSecond: 1 / 15 },
  /** 10 and then one a minute. */
  account: { burst: 10, perSecond: 1 / 60 },
  device: { burst: 10, perSecond: 1 / 60 },
  devices: { burst: 30, perSecond: 1 / 30 },
  setup: { burst: 20, perSecond: 1 / 15 },
} satisfies Record<keyof typeof KINDS, RateLimit>;

/** Counts attempts at what can be guessed. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly cookie: DeviceCookie,
  ) {}

  /** Before the body is read; what it says is counted afterwards. @throws ProblemError 429 */
  async openRequest(request: FastifyRequest): Promise<void> {
    const device = this.cookie.deviceIn(request.headers.cookie);
    await this.take('open', device === null ? networkOf(request.clientAddress) : `device ${device.id}`);
  }

  /**
   * A device that has signed in to the account before has a bucket of its own: guesses from elsewhere don't lock it
   * out, and its cookie is worth no more than that bucket. All devices of an account share another one, so that many
   * cookies, which outlive the password that they were given for, are worth little more than one.
   *
   * @throws ProblemError 429
   */
  async signIn(request: FastifyRequest, email: string): Promise<void> {
    const device = this.cookie.deviceIn(request.headers.cookie);
    if (device !== null && this.cookie.isOf(device, email)) {
      await this.take('device', device.id);
      return this.take('devices', device.account);
    }
    await this.fromNetwork(request);
    // Kept in Redis for a while, where addresses have no business.
    await this.take('account', `sign-in:${hash('sha256', email.trim().toLowerCase())}`);
  }

  /** Of somebody who is signed in. @throws ProblemError 429 */
  async password(userId: string): Promise<void> {
    await this.take('account', `password:${userId}`);
  }

  /** @throws ProblemError 429 */
  async setup(request: FastifyRequest): Promise<void> {
    await this.fromNetwork(request);
    await this.take('setup', 'code');
  }

  /** @throws ProblemError 429 */
  async fromNetwork(request: FastifyRequest): Promise<void> {
    await this.take('network', networkOf(request.clientAddress));
  }

  private async take(kind: keyof typeof KINDS, bucket: string): Promise<void> {
    const { allowed, retryAfter } = await this.limiter.take(KINDS[kind], bucket, 1, LIMITS[kind]);
    if (allowed) return;
    throw tooManyRequests(`Too many attempts. Try again in ${retryAfter} s.`, retryAfter);
  }
}
