import { Controller } from '@nestjs/common';
import { Bus, BusUnavailableError } from '#libs/bus';
import {
  getDeadLetter,
  listDeadLetters,
  replayDeadLetters,
  deadLetterCursor,
  type DeadLetter,
  type DeadLetterWithBody,
} from '#libs/contracts';
import { Handle, notFound, type RequestOf, unavailable } from '#libs/platform';
import { requireProject } from '../access/principal.js';
import { DeadLettersRepository } from './dead-letters.repository.js';

@Controller()
export class DeadLettersController {
  constructor(
    private readonly deadLetters: DeadLettersRepository,
    private readonly bus: Bus,
  ) {}

  @Handle(listDeadLetters)
  async list({
    principal,
    query,
  }: RequestOf<typeof listDeadLetters>): Promise<{ dead_letters: DeadLetter[]; next_cursor: string | null }> {
    const { project, limit, cursor: after } = query;
    const projectId = project === null ? null : requireProject(principal, project);
    const letters = await this.deadLetters.list(principal, { projectId, after, limit: limit + 1 });
    const page = letters.slice(0, limit);
    const last = page.at(-1);
    const isLast = letters.length <= limit || last === undefined;
    return {
      dead_letters: page,
      next_cursor: isLast ? null : deadLetterCursor.write({ failedAt: last.failed_at, id: last.id }),
    };
  }

  @Handle(getDeadLetter)
  async find({ params: { id }, principal }: RequestOf<typeof getDeadLetter>): Promise<DeadLetterWithBody> {
    const [letter] = await this.deadLetters.find(principal, [id]);
    if (letter === undefined) throw notFound('dead letter');
    const { value, ...rest } = letter;
    return { ...rest, value_base64: value.toString('base64') };
  }

  /** Republishes messages to their topics, with the same bytes, key and headers. */
  @Handle(replayDeadLetters)
  async replay({ principal, body }: RequestOf<typeof replayDeadLetters>): Promise<{ replayed: number }> {
    const { ids } = body;
    const letters = await this.deadLetters.find(principal, ids);
    if (letters.length < new Set(ids.map((id) => id.toLowerCase())).size) throw notFound('dead letter');
    for (const { project_id: projectId } of letters)
      if (projectId !== null) requireProject(principal, projectId, 'member');
    // Mark them before publishing, because a message that fails again reopens its dead letter.
    await this.deadLetters.markReplayed(letters.map(({ id }) => id));
    try {
      await this.bus.publishEncoded(letters.map(({ topic, key, value, headers }) => ({ topic, key, value, headers })));
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      throw unavailable(
        'The dead letters could not be replayed because the message bus is unavailable. Try again in a moment.',
        error,
      );
    }
    return { replayed: letters.length };
  }
}
