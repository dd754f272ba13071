import { createHash } from 'node:crypto';
import { Controller, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache } from '#libs/cache';
import { answerFastlyChallenge } from '#libs/contracts';
import { Handle, ProblemError, unavailable, type RequestOf } from '#libs/platform';
import { DrainStatusRepository } from './drain-status.repository.js';

/** Cache key for the response. Fastly doesn't send a service ID, so all projects share one response. */
const CACHE_KEY = 'all';

/**
 * Lists the SHA-256 hashes of the Fastly service IDs that are allowed to log to this host. Never lists `*`, which would
 * allow every Fastly service. See "Log streaming: HTTPS" on docs.fastly.com.
 */
@Controller()
export class FastlyChallengeController implements OnApplicationShutdown {
  private readonly responses: LookupCache<string>;

  constructor(status: DrainStatusRepository) {
    this.responses = new LookupCache({
      load: async () => {
        const ids = await status.fastlyServiceIds();
        return new Map([[CACHE_KEY, ids.map((id) => `${createHash('sha256').update(id).digest('hex')}\n`).join('')]]);
      },
    });
  }

  @Handle(answerFastlyChallenge)
  async answer({ reply }: RequestOf<typeof answerFastlyChallenge>): Promise<void> {
    const text = await this.hashes();
    if (text === '') {
      throw new ProblemError(
        'not-found',
        'No Fastly service ID is configured. Add one in the drain settings of a project.',
      );
    }
    await reply.header('content-type', 'text/plain; charset=utf-8').send(text);
  }

  onApplicationShutdown(): void {
    this.responses.close();
  }

  private async hashes(): Promise<string> {
    try {
      return this.responses.getCached(CACHE_KEY) ?? (await this.responses.get(CACHE_KEY)) ?? '';
    } catch (error) {
      throw unavailable('Fastly services cannot be looked up right now. Try again in a moment.', error, 2);
    }
  }
}
