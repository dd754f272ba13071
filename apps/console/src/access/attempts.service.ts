import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import { networksOf, tooManyRequests } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { HashPriority } from '../passwords/hash-pool.js';
import { DeviceCookie } from './device-cookie.js';

/** Separate kinds, so a flood from many networks can't evict the buckets of accounts. */
const KINDS = {
  /** Writes to public operations, by network or known device. Counted before the body is read. */
  open: { name: 'open-requests', failsOpen: false },
  /** Reads of public operations, by network or known device. */
  reads: { name: 'open-reads', failsOpen: false },
  /** Sign-ins, setup, invitations and shared links, by network. */
  network: { name: 'attempts-of-networks', failsOpen: false },
  /** Passwords of one account or shared link. Sign-ins from known devices have their own kinds. */
  account: { name: 'attempts-at-accounts', failsOpen: false },
  /** Sign-ins from one known device. */
  device: { name: 'attempts-of-devices', failsOpen: false },
  /** Sign-ins to one account, from all its known devices. */
  devices: { name: 'attempts-of-all-devices', failsOpen: false },
  /** Second-factor codes, by account or known device. */
  code: { name: 'attempts-at-codes', failsOpen: false },
  /** Second-factor codes of one account, from all its known devices. */
  codes: { name: 'attempts-at-codes-of-all-devices', failsOpen: false },
  /** Failed sign-ins from unknown devices, across all accounts, including accounts that don't exist. */
  strangers: { name: 'failed-sign-ins-of-strangers', failsOpen: false },
  setup: { name: 'attempts-at-setup', failsOpen: false },
} satisfies Record<string, BucketKind>;

/** Loose enough for typos, too tight for guessing. */
const LIMITS = {
  /** Allows for an office behind one address. */
  open: { burst: 120, perSecond: 2 },
  /** Higher, because every dashboard page requests the session. */
  reads: { burst: 600, perSecond: 20 },
  network: { burst: 20, perSecond: 1 / 15 },
  account: { burst: 10, perSecond: 1 / 60 },
  device: { burst: 10, perSecond: 1 / 60 },
  devices: { burst: 30, perSecond: 1 / 30 },
  /** Strict, because codes have six digits and three of them are valid at a time. */
  code: { burst: 10, perSecond: 1 / 600 },
  codes: { burst: 30, perSecond: 1 / 300 },
  strangers: { burst: 100, perSecond: 2 },
  setup: { burst: 20, perSecond: 1 / 15 },
} satisfies Record<keyof typeof KINDS, RateLimit>;

interface SignInAttempt {
  /** Priority of hashing the password. Known devices go first. */
  priority: HashPriority;
  /** Counts a failure against the limit shared by unknown devices. */
  failed: () => Promise<void>;
}

/** Rate limits for passwords, codes and public operations. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly cookie: DeviceCookie,
  ) {}

  /** Counts a request to a public operation before its body is read. @throws ProblemError 429 */
  async openRequest(request: FastifyRequest, kind: 'open' | 'reads' = 'open'): Promise<void> {
    const device = this.cookie.deviceIn(request.headers.cookie);
    if (device === null) await this.takeOfNetworks(kind, request);
    else await this.take(kind, `device ${device.id}`);
  }

  /**
   * Counts a sign-in with a password.
   *
   * - A device that has signed in to the account before has its own bucket, so guesses from elsewhere don't lock it out.
   * - All known devices of an account also share a bucket. It limits guesses with many stolen device cookies, which stay
   *   valid after a password change.
   * - Unknown devices share a bucket of failures. It limits guesses from many addresses at many accounts.
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
    // Hashed because Redis stores bucket names and must not contain email addresses.
    await this.take('account', `sign-in:${hash('sha256', email.trim().toLowerCase())}`);
    const { strangers } = KINDS;
    return {
      priority: 'stranger',
      failed: async () => void (await this.limiter.take(strangers, 'all', 1, LIMITS.strangers)),
    };
  }

  /**
   * Counts an attempt at a second-factor code. Known devices have separate buckets, as in {@link signIn}.
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
   * Counts a sign-in with a passkey. Known devices have their own buckets, so people behind one address don't lock each
   * other out. Passkeys can't be guessed, so there's no limit by account.
   *
   * @throws ProblemError 429
   */
  async passkey(request: FastifyRequest): Promise<void> {
    const device = this.cookie.deviceIn(request.headers.cookie);
    await (device === null ? this.fromNetwork(request) : this.take('device', device.id));
  }

  /** Counts an attempt at the password of the signed-in user. @throws ProblemError 429 */
  async password(userId: string): Promise<void> {
    await this.take('account', `password:${userId}`);
  }

  /** Counts an attempt at the password of a shared link. @throws ProblemError 429 */
  async sharedLink(request: FastifyRequest, linkId: string): Promise<void> {
    await this.fromNetwork(request);
    await this.take('account', `shared-link:${linkId}`);
  }

  /** Counts a new password for a shared link. @throws ProblemError 429 */
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

  /**
   * Counts a request in each network that the client may control, smallest first. Each allows twice as much as the
   * previous one. A request that a smaller network rejects doesn't count against the larger ones.
   */
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
