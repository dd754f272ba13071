import { Injectable } from '@nestjs/common';
import {
  BusUnavailableError,
  DEAD_LETTERS,
  withPublishSpan,
  createPublication,
  RECEIVED_VISITS,
  type DeadLetter,
  type ReceivedVisits,
} from '#libs/bus';
import { unavailable } from '#libs/platform';
import { randomRetryAfter } from '../admission/retry-after.js';
import { MessagePublisher } from '../outbox/message-publisher.js';

@Injectable()
export class SafePublisher {
  constructor(private readonly publisher: MessagePublisher) {}

  /**
   * Resolves once a request's visits and the dead letters for its rejected items are safely stored.
   *
   * @throws {ProblemError} 503 with a `Retry-After` header if they couldn't be stored.
   */
  async publish(received: readonly ReceivedVisits[], deadLetters: readonly DeadLetter[] = []): Promise<void> {
    const count = received.length + deadLetters.length;
    if (count === 0) return;
    const publish = (visits: readonly ReceivedVisits[]): Promise<void> =>
      this.publisher.publishAll([
        createPublication(RECEIVED_VISITS, visits),
        createPublication(DEAD_LETTERS, deadLetters),
      ]);
    const traceparent = received[0]?.traceparent ?? null;
    try {
      if (traceparent === null) await publish(received);
      else {
        await withPublishSpan({ topic: RECEIVED_VISITS.name, traceparent, count }, (next) =>
          publish(received.map((visits) => ({ ...visits, traceparent: next }))),
        );
      }
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      const seconds = error.reason === 'late' || error.reason === 'queue_full' ? randomRetryAfter() : 1;
      throw unavailable('The visits could not be stored safely. Resend them.', error, seconds);
    }
  }
}
