import type { EncodedMessage, ReceivedMessage, Topic } from '#libs/bus';
import { RECEIVED_HEADERS, type TopicName } from '#libs/contracts';

/** Returns a topic that passes messages through without encoding or decoding them. */
export const rawTopic = (name: TopicName): Topic<ReceivedMessage> => ({
  name,
  encode: (message): EncodedMessage => message,
  decode: (message) => ({ ok: true, value: message }),
  size: ({ value }) => value.length,
  traceparent: ({ headers }) => headers[RECEIVED_HEADERS.traceparent] ?? null,
});
