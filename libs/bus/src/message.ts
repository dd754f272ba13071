export interface EncodedMessage {
  topic: string;
  /**
   * Messages with the same key remain in order and go to the same consumer. Messages with a null key are distributed
   * evenly.
   */
  key: string | null;
  value: Buffer;
  headers: Record<string, string>;
}

/** Encoded message with its position, which is undefined if the message isn't from Kafka. */
export interface ReceivedMessage extends EncodedMessage {
  partition?: number;
  offset?: string;
}
