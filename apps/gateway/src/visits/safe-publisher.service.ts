import { Injectable } from '@nestjs/common';
import { BusUnavailableError, inPublishSpan, type BusMessage } from '#libs/bus';
import { unavailable } from '#libs/platform';
import { spreadRetryAfter } from '../admission/retry-after.js';
import { MessagePublisher } from '../outbox/message-publisher.js';

/** Makes visits safe, or says when to send them again. */
@Injectable()
export class SafePublisher {
  constructor(private readonly publisher: MessagePublisher) {}

  /** Resolves when the messages are safe. @throws ProblemError 503 when they are not. */
  async publish(messages: readonly BusMessage[]): Promise<void> {
    if (messages.length === 0) return;
    try {
      await inPublishSpan(messages, () => this.publisher.publish(messages));
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      const seconds = error.reason === 'late' || error.reason === 'queue_full' ? spreadRetryAfter() : 1;
      throw unavailable('The visits could not be stored safely. Resend them.', error, seconds);
    }
  }
}
