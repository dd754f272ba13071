import type { Publication } from '#libs/bus';

/** Publishes messages safely, through the in-process bus or through Kafka with the outbox as a fallback. */
export abstract class MessagePublisher {
  /**
   * Resolves when the values are stored safely.
   *
   * @throws BusUnavailableError if they aren't.
   */
  abstract publishAll(publications: readonly Publication[]): Promise<void>;
}
