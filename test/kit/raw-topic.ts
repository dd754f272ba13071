import type { EncodedMessage, ReceivedMessage, Topic } from '#libs/bus';
import { RECEIVED_HEADERS, type TopicName } from '#libs/contracts';

/** Returns a topic that passes messages through without encoding or decoding them. */
export const createRawTopic = (name: TopicName): Topic<ReceivedMessage> => ({
  name,
  encode: (message): EncodedMessage => message,
  decode: (message) => ({ ok: true, value: message }),
  getSize: ({ value }) => value.length,
  getTraceparent: ({ headers }) => headers[RECEIVED_HEADERS.traceparent] ?? null,
});
