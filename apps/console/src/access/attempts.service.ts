import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import { networksOf, tooManyRequests } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { HashPriority } from '../passwords/hash-pool.js';
import { DeviceCookie } from './device-cookie.js';

/** Each kind has its own store, so that a flood from many networks does not evict the accounts' buckets. */
const KINDS = {
  /** Requests without a credential, by network or known device, counted before their body is read. */
  open: { name: 'open-requests', failsOpen: false },
  /** Reads without a credential, likewise. */
  reads: { name: 'open-reads', failsOpen: false },
  /** Sign-ins, set-ups and acceptances, by network. */
  network: { name: 'attempts-of-networks', failsOpen: false },
  /** By account, from anywhere. */
  account: { name: 'attempts-at-accounts', failsOpen: false },
  /** By device that has signed in to the account before. */
  device: { name: 'attempts-of-devices', failsOpen: false },
  /** By account, from all devices that have signed in to it. Each has a cookie that lasts a year. */
  devices: { name: 'attempts-of-all-devices', failsOpen: false },
  /** At codes of a second factor, by account or by device that has signed in to it before. */
  code: { name: 'attempts-at-codes', failsOpen: false },
  /** At these codes, by account, from all devices that have signed in to it. */
  codes: { name: 'attempts-at-codes-of-all-devices', failsOpen: false },
  /** Failed sign-ins from devices that aren't known, at any account: whether it exists makes no difference. */
  strangers: { name: 'failed-sign-ins-of-strangers', failsOpen: false },
  /** At the setup code, from anywhere. */
  setup: { name: 'attempts-at-setup', failsOpen: false },
} satisfies Record<string, BucketKind>;

/** High enough for people who mistype now and then, too low to guess. */
const LIMITS = {
  /** Enough for an office behind one address. */
  open: { burst: 120, perSecond: 2 },
  /** Each page of the dashboard needs the session. */
  reads: { burst: 600, perSecond: 20 },
  network: { burst: 20, perSecond: 1 / 15 },
  /** 10, then one a minute. */
  account: { burst: 10, perSecond: 1 / 60 },
  device: { burst: 10, perSecond: 1 / 60 },
  devices: { burst: 30, perSecond: 1 / 30 },
  /** 10, then one in ten minutes: they have six digits, and three of them count at a time. */
  code: { burst: 10, perSecond: 1 / 600 },
  codes: { burst: 30, perSecond: 1 / 300 },
  strangers: { burst: 100, perSecond: 2 },
  setup: { burst: 20, perSecond: 1 / 15 },
} satisfies Record<keyof typeof KINDS, RateLimit>;

interface SignInAttempt {
  /** Known devices go first. */
  priority: HashPriority;
  /** Counts it as failed. */
  failed: () => Promise<void>;
}

/** Limits attempts at what could be guessed. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly cookie: DeviceCookie,
  ) {}

  /** Counts a request before its body is read. @throws ProblemError 429 */
  async openRequest(request: FastifyRequest, kind: 'open' | 'reads' = 'open'): Promise<void> {
    const device = this.cookie.deviceIn(request.headers.cookie);
    if (device === null) await this.takeOfNetworks(kind, request);
    else await this.take(kind, `device ${device.id}`);
  }

  /**
   * A device that has signed in to the account before has its own bucket: guesses from elsewhere don't lock it out, and
   * a stolen cookie is worth no more than that bucket. All devices of an account share another bucket, so that many
   * cookies, which outlive a change of password, are worth little more than one. Devices that nobody knows share the bucket
   * of failures, too: many addresses at many accounts are worth little more than one.
   *
   * @throws ProblemError 429
   */
  async signIn(request: FastifyRequest, email: string): Promise<SignInAttempt> {
    const device = this.cookie.deviceOf(email, request.headers.cookie);
    if (device !== null) {
      await this.take('device', device.id);
      await this.take('devices', device.account);
      return { priority: 'known', failed: async () => undefined };
    }
    await this.fromNetwork(request);
    await this.take('strangers', 'all', 0);
    // Hashed, as Redis keeps it for a while and must not hold addresses.
    await this.take('account', `sign-in:${hash('sha256', email.trim().toLowerCase())}`);
    const { strangers } = KINDS;
    return {
      priority: 'stranger',
      failed: async () => void (await this.limiter.take(strangers, 'all', 1, LIMITS.strangers)),
    };
  }

  /**
   * Counts an attempt at the code of a second factor, by somebody who had the password right. As with passwords, a device
   * that has signed in before is not locked out by others, and all of these share another bucket.
   *
   * @throws ProblemError 429
   */
  async secondFactor(request: FastifyRequest, { id, email }: { id: string; email: string }): Promise<void> {
    const device = this.cookie.deviceOf(email, request.headers.cookie);
    if (device !== null) {
      await this.take('code', `device:${device.id}`);
      return this.take('codes', device.account);
    }
    await this.fromNetwork(request);
    await this.take('code', `account:${id}`);
  }

  /**
   * Counts a sign-in with a passkey, which nobody can guess: by the device, where somebody has signed in on it before, so
   * that people behind one address don't keep each other out. @throws ProblemError 429
   */
  async passkey(request: FastifyRequest): Promise<void> {
    const device = this.cookie.deviceIn(request.headers.cookie);
    await (device === null ? this.fromNetwork(request) : this.take('device', device.id));
  }

  /** Counts a signed-in person's attempt at their own password. @throws ProblemError 429 */
  async password(userId: string): Promise<void> {
    await this.take('account', `password:${userId}`);
  }

  /** Counts an attempt at the password of a link, as at one of an account. @throws ProblemError 429 */
  async sharedLink(request: FastifyRequest, linkId: string): Promise<void> {
    await this.fromNetwork(request);
    await this.take('account', `shared-link:${linkId}`);
  }

  /** Counts a password that is set for a link of a project. @throws ProblemError 429 */
  async linkPassword(projectId: string): Promise<void> {
    await this.take('account', `link-password:${projectId}`);
  }

  /** @throws ProblemError 429 */
  async setup(request: FastifyRequest): Promise<void> {
    await this.fromNetwork(request);
    await this.take('setup', 'code');
  }

  /** @throws ProblemError 429 */
  async fromNetwork(request: FastifyRequest): Promise<void> {
    await this.takeOfNetworks('network', request);
  }

  /** Each network has twice the limit of the next smaller one, which is counted first: what it refuses uses up no more. */
  private async takeOfNetworks(kind: 'open' | 'reads' | 'network', { clientAddress }: FastifyRequest): Promise<void> {
    for (const [index, network] of networksOf(clientAddress).entries()) {
      await this.take(kind, network, 1, 2 ** index);
    }
  }

  private async take(kind: keyof typeof KINDS, bucket: string, cost = 1, factor = 1): Promise<void> {
    const { burst, perSecond } = LIMITS[kind];
    const limit = { burst: burst * factor, perSecond: perSecond * factor };
    const { allowed, retryAfterSeconds } = await this.limiter.take(KINDS[kind], bucket, cost, limit);
    if (allowed) return;
    throw tooManyRequests(`Too many attempts. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
  }
}
