import { Injectable } from '@nestjs/common';
import {
  BusUnavailableError,
  DEAD_LETTERS,
  inPublishSpan,
  publication,
  RECEIVED_VISITS,
  type DeadLetter,
  type ReceivedVisits,
} from '#libs/bus';
import { unavailable } from '#libs/platform';
import { spreadRetryAfter } from '../admission/retry-after.js';
import { MessagePublisher } from '../outbox/message-publisher.js';

/** Publishes visits safely, or rejects them with a `Retry-After`. */
@Injectable()
export class SafePublisher {
  constructor(private readonly publisher: MessagePublisher) {}

  /**
   * Resolves when the visits of a request, and the dead letters of its rejected items, are safe.
   *
   * @throws ProblemError 503 if they aren't.
   */
  async publish(received: readonly ReceivedVisits[], deadLetters: readonly DeadLetter[] = []): Promise<void> {
    const count = received.length + deadLetters.length;
    if (count === 0) return;
    const publish = (visits: readonly ReceivedVisits[]): Promise<void> =>
      this.publisher.publishAll([publication(RECEIVED_VISITS, visits), publication(DEAD_LETTERS, deadLetters)]);
    const traceparent = received[0]?.traceparent ?? null;
    try {
      if (traceparent === null) await publish(received);
      else {
        await inPublishSpan({ topic: RECEIVED_VISITS.name, traceparent, count }, (next) =>
          publish(received.map((visits) => ({ ...visits, traceparent: next }))),
        );
      }
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      const seconds = error.reason === 'late' || error.reason === 'queue_full' ? spreadRetryAfter() : 1;
      throw unavailable('The visits could not be stored safely. Resend them.', error, seconds);
    }
  }
}
