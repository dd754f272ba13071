import type { Publication } from '#libs/bus';

/** Publishes messages reliably, either on the in-process bus or to Kafka with the outbox as a fallback. */
export abstract class MessagePublisher {
  /**
   * Resolves once the values are safely stored.
   *
   * @throws {BusUnavailableError} if they couldn't be stored.
   */
  abstract publishAll(publications: readonly Publication[]): Promise<void>;
}
