import { deadLetter, type BusMessage, type DeadLetterOutcome, type ReceivedMessage } from '#libs/bus';
import { formatIndices, RECEIVED_HEADERS } from '#libs/contracts';
import type { ReceivedBatch } from './read-batch.step.js';

/** Makes the dead letter of one item of a message whose other items are processed. */
export function itemDeadLetter(
  message: ReceivedMessage,
  batch: ReceivedBatch,
  { index, id, item }: ReceivedBatch['items'][number],
  outcome: DeadLetterOutcome,
): BusMessage {
  const options = { ...outcome, projectId: batch.projectId, identity: id };
  // What is nested too deep cannot be serialized, so the whole message is kept: the ids tell its other items as repeats.
  if (batch.items.length === 1 || outcome.reason === 'too_deep') return deadLetter(message, options);
  const value = Buffer.from(JSON.stringify([item]));
  const headers = { ...message.headers, [RECEIVED_HEADERS.indices]: formatIndices([index]) };
  if (RECEIVED_HEADERS.visitIds in headers) headers[RECEIVED_HEADERS.visitIds] = id;
  // A message may read its key only when it is asked for it, so it can't be spread.
  const { topic, key, partition, offset } = message;
  return deadLetter({ topic, key, value, headers, partition, offset }, options);
}
