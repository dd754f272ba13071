import { createHash } from 'node:crypto';
import { Controller, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache } from '#libs/cache';
import { answerFastlyChallenge } from '#libs/contracts';
import { Handle, ProblemError, unavailable, type RequestOf } from '#libs/platform';
import { DrainStatusRepository } from './drain-status.repository.js';

/** Cache key of the only response. Fastly doesn't send the ID of its service, so all projects share it. */
const ALL = 'all';

/**
 * Lists the Fastly services that may log to this host, as hashes of their IDs (docs.fastly.com, log streaming to
 * HTTPS). Never returns `*`, which would allow any Fastly service.
 */
@Controller()
export class FastlyChallengeController implements OnApplicationShutdown {
  private readonly answers: LookupCache<string>;

  constructor(status: DrainStatusRepository) {
    this.answers = new LookupCache({
      load: async () => {
        const ids = await status.fastlyServiceIds();
        return new Map([[ALL, ids.map((id) => `${createHash('sha256').update(id).digest('hex')}\n`).join('')]]);
      },
    });
  }

  @Handle(answerFastlyChallenge)
  async answer({ reply }: RequestOf<typeof answerFastlyChallenge>): Promise<void> {
    const text = await this.hashes();
    if (text === '') {
      throw new ProblemError('not-found', 'No project has the id of a Fastly service in the settings of its drains.');
    }
    await reply.header('content-type', 'text/plain; charset=utf-8').send(text);
  }

  onApplicationShutdown(): void {
    this.answers.close();
  }

  private async hashes(): Promise<string> {
    try {
      return this.answers.getCached(ALL) ?? (await this.answers.get(ALL)) ?? '';
    } catch (error) {
      throw unavailable('The services cannot be looked up right now. Try again in a moment.', error, 2);
    }
  }
}
