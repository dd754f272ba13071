export interface EncodedMessage {
  topic: string;
  /** Messages with the same key stay in order and go to the same consumer. Null distributes messages evenly. */
  key: string | null;
  value: Buffer;
  headers: Record<string, string>;
}

/** Encoded message with its position. The position is missing if the message isn't from Kafka. */
export interface ReceivedMessage extends EncodedMessage {
  partition?: number;
  offset?: string;
}
