import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter, type BucketKind, type RateLimit } from '#libs/cache';
import { getAddressNetworks, tooManyRequests } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import type { HashPriority } from '../passwords/hash-pool.js';
import { DeviceCookie } from './device-cookie.js';

/** Bucket kinds. Each kind is stored separately, so a flood from many networks can't evict the buckets of accounts. */
const BUCKET_KINDS = {
  /** Write requests to public operations, limited per network or known device. Counted before the body is read. */
  open: { name: 'open-requests', failsOpen: false },
  /** Read requests to public operations, limited per network or known device. */
  reads: { name: 'open-reads', failsOpen: false },
  /** Attempts at sign-in, setup, invitations and shared links, limited per network. */
  network: { name: 'attempts-of-networks', failsOpen: false },
  /** Password attempts, limited per account or shared link. Sign-ins from known devices have separate kinds. */
  account: { name: 'attempts-at-accounts', failsOpen: false },
  /** Sign-in attempts, limited per known device. */
  device: { name: 'attempts-of-devices', failsOpen: false },
  /** Sign-in attempts from all of an account's known devices together. */
  devices: { name: 'attempts-of-all-devices', failsOpen: false },
  /** Second-factor attempts, limited per account or known device. */
  code: { name: 'attempts-at-codes', failsOpen: false },
  /** Second-factor attempts from all of an account's known devices together. */
  codes: { name: 'attempts-at-codes-of-all-devices', failsOpen: false },
  /** Failed sign-ins from all unknown devices together. Includes attempts for accounts that don't exist. */
  strangers: { name: 'failed-sign-ins-of-strangers', failsOpen: false },
  setup: { name: 'attempts-at-setup', failsOpen: false },
} satisfies Record<string, BucketKind>;

/** Limits that tolerate typos but make guessing impractical. */
const LIMITS = {
  /** High enough for an office that shares one IP address. */
  open: { burst: 120, perSecond: 2 },
  /** Higher than for writes, because every dashboard page loads the session. */
  reads: { burst: 600, perSecond: 20 },
  network: { burst: 20, perSecond: 1 / 15 },
  account: { burst: 10, perSecond: 1 / 60 },
  device: { burst: 10, perSecond: 1 / 60 },
  devices: { burst: 30, perSecond: 1 / 30 },
  /** Low, because codes have only six digits and three codes are valid at a time. */
  code: { burst: 10, perSecond: 1 / 600 },
  codes: { burst: 30, perSecond: 1 / 300 },
  strangers: { burst: 100, perSecond: 2 },
  setup: { burst: 20, perSecond: 1 / 15 },
} satisfies Record<keyof typeof BUCKET_KINDS, RateLimit>;

interface SignInAttempt {
  /** Priority for hashing the password. Known devices come first. */
  priority: HashPriority;
  /** Counts a failed sign-in toward the limit shared by all unknown devices. */
  failed: () => Promise<void>;
}

@Injectable()
export class AttemptsService {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly cookie: DeviceCookie,
  ) {}

  /**
   * Counts a request to a public operation before its body is read.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async publicRequest(request: FastifyRequest, kind: 'open' | 'reads' = 'open'): Promise<void> {
    const device = this.cookie.readDevice(request.headers.cookie);
    if (device === null) await this.takeForNetworks(kind, request);
    else await this.take(kind, `device ${device.id}`);
  }

  /**
   * Counts a sign-in attempt with a password.
   * - A device that has signed in to the account before has its own bucket, so guesses from elsewhere don't lock it
   *   out.
   * - All known devices of an account share a second bucket. It limits guesses with many stolen device cookies, which
   *   remain valid after a password change.
   * - All unknown devices share a bucket for failures. It limits guesses from many addresses against many accounts.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async signIn(request: FastifyRequest, email: string): Promise<SignInAttempt> {
    const device = this.cookie.findDevice(email, request.headers.cookie);
    if (device !== null) {
      await this.take('device', device.id);
      await this.take('devices', device.account);
      return { priority: 'known', failed: async () => undefined };
    }
    await this.fromNetwork(request);
    await this.take('strangers', 'all', 0);
    // The address is hashed because Redis stores bucket names and must not contain email addresses.
    await this.take('account', `sign-in:${hash('sha256', email.trim().toLowerCase())}`);
    const { strangers } = BUCKET_KINDS;
    return {
      priority: 'stranger',
      failed: async () => void (await this.limiter.take(strangers, 'all', 1, LIMITS.strangers)),
    };
  }

  /**
   * Counts an attempt to enter a second-factor code. Known devices have separate buckets, as in {@link signIn}.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async secondFactor(request: FastifyRequest, { id, email }: { id: string; email: string }): Promise<void> {
    const device = this.cookie.findDevice(email, request.headers.cookie);
    if (device !== null) {
      await this.take('code', `device:${device.id}`);
      return this.take('codes', device.account);
    }
    await this.fromNetwork(request);
    await this.take('code', `account:${id}`);
  }

  /**
   * Counts a sign-in attempt with a passkey. Known devices have their own buckets, so people who share an IP address
   * don't lock each other out. There is no limit per account, because passkeys can't be guessed.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async passkey(request: FastifyRequest): Promise<void> {
    const device = this.cookie.readDevice(request.headers.cookie);
    await (device === null ? this.fromNetwork(request) : this.take('device', device.id));
  }

  /**
   * Counts an attempt to enter the signed-in user's password.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async password(userId: string): Promise<void> {
    await this.take('account', `password:${userId}`);
  }

  /**
   * Counts an attempt to enter a shared link's password.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async sharedLink(request: FastifyRequest, linkId: string): Promise<void> {
    await this.fromNetwork(request);
    await this.take('account', `shared-link:${linkId}`);
  }

  /**
   * Counts a change of a shared link's password.
   *
   * @throws {ProblemError} 429 if a limit is reached.
   */
  async linkPassword(projectId: string): Promise<void> {
    await this.take('account', `link-password:${projectId}`);
  }

  /** Counts an attempt to enter the setup code. @throws {ProblemError} 429 if a limit is reached. */
  async setup(request: FastifyRequest): Promise<void> {
    await this.fromNetwork(request);
    await this.take('setup', 'code');
  }

  /** Counts an attempt from the client's networks. @throws {ProblemError} 429 if a limit is reached. */
  async fromNetwork(request: FastifyRequest): Promise<void> {
    await this.takeForNetworks('network', request);
  }

  /**
   * Counts a request in each network that the client may control, smallest first. Each network's limit is twice the
   * previous one. If a smaller network's limit rejects the request, it isn't counted in the larger ones.
   */
  private async takeForNetworks(kind: 'open' | 'reads' | 'network', { clientAddress }: FastifyRequest): Promise<void> {
    for (const [index, network] of getAddressNetworks(clientAddress).entries()) {
      await this.take(kind, network, 1, 2 ** index);
    }
  }

  private async take(kind: keyof typeof BUCKET_KINDS, bucket: string, cost = 1, factor = 1): Promise<void> {
    const { burst, perSecond } = LIMITS[kind];
    const limit = { burst: burst * factor, perSecond: perSecond * factor };
    const { allowed, retryAfterSeconds } = await this.limiter.take(BUCKET_KINDS[kind], bucket, cost, limit);
    if (allowed) return;
    throw tooManyRequests(`Too many attempts. Try again in ${retryAfterSeconds} s.`, retryAfterSeconds);
  }
}
