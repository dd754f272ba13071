import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import { Counter } from 'prom-client';
import { HashPool, HashPoolFullError, type HashPriority, type ScryptParameters } from './hash-pool.js';

/** Parameters for all hashes. Changing them invalidates every stored hash, because hashes don't include them. */
export const SCRYPT_PARAMETERS: ScryptParameters = { N: 16_384, r: 16, p: 1, length: 64 };

/** Approximate time in which a full queue is processed. */
const RETRY_AFTER_SECONDS = 2;

const rejectedPasswords = new Counter({
  name: 'agent_traffic_console_password_hashes_refused_total',
  help: 'Number of passwords rejected because the queue was full; kind: known (device, session or link) or stranger',
  labelNames: ['kind'],
});

/**
 * Hashes and verifies passwords. Both methods throw a `ProblemError` with status 429 if too many passwords are waiting.
 */
@Injectable()
export class PasswordHasher implements OnApplicationShutdown {
  readonly pool = new HashPool();

  /** Returns a salted scrypt hash in the form `salt:key`, both in hex. */
  async hash(password: string, priority: HashPriority): Promise<string> {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${(await this.deriveKey(password, salt, priority)).toString('hex')}`;
  }

  /** Returns whether a password matches a hash from {@link hash}. */
  async verify(password: string, hash: string, priority: HashPriority): Promise<boolean> {
    const [salt = '', key = ''] = hash.split(':');
    const expected = Buffer.from(key, 'hex');
    const actual = await this.deriveKey(password, salt, priority);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async deriveKey(password: string, salt: string, priority: HashPriority): Promise<Buffer> {
    try {
      return await this.pool.run({ ...SCRYPT_PARAMETERS, password: password.normalize('NFKC'), salt }, priority);
    } catch (error) {
      if (!(error instanceof HashPoolFullError)) throw error;
      rejectedPasswords.inc({ kind: priority });
      throw tooManyRequests('Too many passwords are being checked. Try again in a few seconds.', RETRY_AFTER_SECONDS);
    }
  }
}
