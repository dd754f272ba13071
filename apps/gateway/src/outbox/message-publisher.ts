import type { BusMessage } from '#libs/bus';

/** Makes messages safe: the bus alone where it is the database's, else the bus with the outbox behind it. */
export abstract class MessagePublisher {
  /** Resolves when the messages are safe. @throws BusUnavailableError when nobody takes them. */
  abstract publish(messages: readonly BusMessage[]): Promise<void>;
}
