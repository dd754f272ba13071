/** A message as bytes. Header values are text. */
export interface EncodedMessage {
  topic: string;
  /** Messages with the same key keep their order and go to the same consumer; null spreads them. */
  key: string | null;
  value: Buffer;
  headers: Record<string, string>;
}

/** An encoded message and its position in Kafka. */
export interface ReceivedMessage extends EncodedMessage {
  partition?: number;
  offset?: string;
}
