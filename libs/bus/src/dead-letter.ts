import { DEAD_LETTER_HEADERS, ORIGINAL_HEADER_PREFIX, TOPICS, type DeadLetterReason } from '#libs/contracts';
import { v5 } from 'uuid';
import type { BusMessage, ReceivedMessage } from './bus.js';

/** Namespace of dead letters' ids: the same failure has the same id, however often it is delivered. */
const NAMESPACE = '6f0bd0f7-8a5c-4f0b-9d2f-1e1f5f0a7c11';

export interface DeadLetterOptions {
  reason: DeadLetterReason;
  detail: string;
  step: string;
  projectId: string | null;
  /** What tells this failure from others, e.g. a visit's id; without it the message's offset or bytes. */
  identity?: string;
}

/** The message for `visits.dead-letter.v1`: the original's bytes, key and headers, with the reason and the offset. */
export function deadLetter(original: BusMessage | ReceivedMessage, options: DeadLetterOptions): BusMessage {
  const { partition, offset } = original as ReceivedMessage;
  const identity =
    options.identity ??
    (offset === undefined ? `${original.key}:${original.value.toString('base64')}` : `${partition}:${offset}`);
  const headers: Record<string, string> = {
    [DEAD_LETTER_HEADERS.id]: v5(`${original.topic}:${identity}`, NAMESPACE),
    [DEAD_LETTER_HEADERS.reason]: options.reason,
    [DEAD_LETTER_HEADERS.detail]: options.detail.slice(0, 1_000),
    [DEAD_LETTER_HEADERS.step]: options.step,
    [DEAD_LETTER_HEADERS.failedAt]: new Date().toISOString(),
    [DEAD_LETTER_HEADERS.topic]: original.topic,
  };
  if (options.projectId !== null) headers[DEAD_LETTER_HEADERS.projectId] = options.projectId;
  if (partition !== undefined) headers[DEAD_LETTER_HEADERS.partition] = String(partition);
  if (offset !== undefined) headers[DEAD_LETTER_HEADERS.offset] = offset;
  for (const [name, value] of Object.entries(original.headers)) headers[ORIGINAL_HEADER_PREFIX + name] = value;
  return { topic: TOPICS.visitsDeadLetter, key: original.key, value: original.value, headers };
}
