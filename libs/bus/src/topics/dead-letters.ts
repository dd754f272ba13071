import { DEAD_LETTER_HEADERS, isUuid, ORIGINAL_HEADER_PREFIX, TOPICS } from '#libs/contracts';
import { v5 } from 'uuid';
import type { DeadLetter } from '../dead-letter.js';
import type { Topic } from '../topic.js';

/** UUID namespace for messages without an ID. */
const ID_NAMESPACE = '0d8a3b52-93f1-4a55-8d43-4f1b9d9f3c60';

/**
 * `visits.dead-letter.v1`: the original key and bytes. Headers contain the reason, the position and the original
 * headers.
 */
export const DEAD_LETTERS: Topic<DeadLetter> = {
  name: TOPICS.visitsDeadLetter,

  encode(letter) {
    const headers: Record<string, string> = {
      [DEAD_LETTER_HEADERS.id]: letter.id,
      [DEAD_LETTER_HEADERS.reason]: letter.reason,
      [DEAD_LETTER_HEADERS.detail]: letter.detail,
      [DEAD_LETTER_HEADERS.step]: letter.step,
      [DEAD_LETTER_HEADERS.failedAt]: letter.failedAt,
      [DEAD_LETTER_HEADERS.topic]: letter.topic,
    };
    if (letter.projectId !== null) headers[DEAD_LETTER_HEADERS.projectId] = letter.projectId;
    if (letter.partition !== null) headers[DEAD_LETTER_HEADERS.partition] = String(letter.partition);
    if (letter.offset !== null) headers[DEAD_LETTER_HEADERS.offset] = letter.offset;
    for (const [name, value] of Object.entries(letter.headers)) headers[ORIGINAL_HEADER_PREFIX + name] = value;
    return { topic: TOPICS.visitsDeadLetter, key: letter.key, value: letter.value, headers };
  },

  /** Accepts messages without any headers because a rejected dead letter would be lost. */
  decode({ topic, key, value, headers, partition, offset }) {
    const { [DEAD_LETTER_HEADERS.id]: id = '', [DEAD_LETTER_HEADERS.partition]: partitionText } = headers;
    const failedAt = Date.parse(headers[DEAD_LETTER_HEADERS.failedAt] ?? '');
    const letter: DeadLetter = {
      id: isUuid(id) ? id : v5(`${partition}:${offset}:${value.toString('base64')}`, ID_NAMESPACE),
      projectId: headers[DEAD_LETTER_HEADERS.projectId] ?? null,
      topic: headers[DEAD_LETTER_HEADERS.topic] ?? topic,
      key,
      value,
      headers: originalHeaders(headers),
      reason: headers[DEAD_LETTER_HEADERS.reason] ?? 'unknown',
      detail: headers[DEAD_LETTER_HEADERS.detail] ?? '',
      step: headers[DEAD_LETTER_HEADERS.step] ?? 'unknown',
      failedAt: new Date(Number.isNaN(failedAt) ? Date.now() : failedAt).toISOString(),
      partition: partitionText !== undefined && /^\d{1,9}$/.test(partitionText) ? Number(partitionText) : null,
      offset: headers[DEAD_LETTER_HEADERS.offset] ?? null,
    };
    return { ok: true, value: letter };
  },

  getSize: ({ value }) => value.length,
  getTraceparent: () => null,
};

const originalHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(ORIGINAL_HEADER_PREFIX) ? [[name.slice(ORIGINAL_HEADER_PREFIX.length), value]] : [],
    ),
  );
