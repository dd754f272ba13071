import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { tooManyRequests } from '#libs/platform';
import { Counter } from 'prom-client';
import { HashPool, HashPoolFullError, type HashPriority, type ScryptParameters } from './hash-pool.js';

/** Cost of a hash. Changing it invalidates all stored hashes, because they don't contain it. */
export const SCRYPT: ScryptParameters = { N: 16_384, r: 16, p: 1, length: 64 };

/** Roughly how long a full queue takes to run. */
const RETRY_AFTER_SECONDS = 2;

const refused = new Counter({
  name: 'agent_traffic_console_password_hashes_refused_total',
  help: 'Passwords refused because too many waited; kind: known (device, session or link) or stranger',
  labelNames: ['kind'],
});

/** Hashes and checks passwords. Both throw a ProblemError 429 if too many passwords are waiting. */
@Injectable()
export class PasswordHasher implements OnApplicationShutdown {
  readonly pool = new HashPool();

  /** Returns a salted scrypt hash, as `salt:key`. */
  async hash(password: string, priority: HashPriority): Promise<string> {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${(await this.keyOf(password, salt, priority)).toString('hex')}`;
  }

  /** @param hash result of {@link hash}. */
  async verify(password: string, hash: string, priority: HashPriority): Promise<boolean> {
    const [salt = '', key = ''] = hash.split(':');
    const expected = Buffer.from(key, 'hex');
    const given = await this.keyOf(password, salt, priority);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async keyOf(password: string, salt: string, priority: HashPriority): Promise<Buffer> {
    try {
      return await this.pool.run({ ...SCRYPT, password: password.normalize('NFKC'), salt }, priority);
    } catch (error) {
      if (!(error instanceof HashPoolFullError)) throw error;
      refused.inc({ kind: priority });
      throw tooManyRequests('Too many passwords are being checked. Try again in a few seconds.', RETRY_AFTER_SECONDS);
    }
  }
}
