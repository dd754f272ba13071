import type { Publication } from '#libs/bus';

/** Publishes safely: the bus within a process, otherwise Kafka with the outbox as a fallback. */
export abstract class MessagePublisher {
  /** Resolves when the values are safe. @throws BusUnavailableError if they aren't. */
  abstract publishAll(publications: readonly Publication[]): Promise<void>;
}
