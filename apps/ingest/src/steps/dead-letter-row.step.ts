import type { ReceivedMessage } from '#libs/bus';
import { DEAD_LETTER_HEADERS, isUuid, ORIGINAL_HEADER_PREFIX } from '#libs/contracts';
import { v5 } from 'uuid';
import type { DeadLetterRow } from '../dead-letters.repository.js';
import { postgresText } from './postgres-text.js';

const NAMESPACE = '0d8a3b52-93f1-4a55-8d43-4f1b9d9f3c60';

/** Any message of the topic makes a row, also one that somebody else wrote: a dead letter has nowhere else to go. */
export function deadLetterRow({ headers, key, value, topic, partition, offset }: ReceivedMessage): DeadLetterRow {
  const text = (name: string): string | null => (headers[name] === undefined ? null : postgresText(headers[name]));
  const id = headers[DEAD_LETTER_HEADERS.id] ?? '';
  const projectId = headers[DEAD_LETTER_HEADERS.projectId] ?? '';
  const from = text(DEAD_LETTER_HEADERS.partition);
  const failedAt = Date.parse(headers[DEAD_LETTER_HEADERS.failedAt] ?? '');
  return {
    id: isUuid(id) ? id : v5(`${partition}:${offset}:${value.toString('base64')}`, NAMESPACE),
    projectId: isUuid(projectId) ? projectId : null,
    topic: text(DEAD_LETTER_HEADERS.topic) ?? topic,
    key: key === null ? null : postgresText(key),
    value,
    headers: originalHeaders(headers),
    reason: text(DEAD_LETTER_HEADERS.reason) ?? 'unknown',
    detail: text(DEAD_LETTER_HEADERS.detail) ?? '',
    step: text(DEAD_LETTER_HEADERS.step) ?? 'unknown',
    partition: from !== null && /^\d{1,9}$/.test(from) ? Number(from) : null,
    offset: text(DEAD_LETTER_HEADERS.offset),
    failedAt: new Date(Number.isNaN(failedAt) ? Date.now() : failedAt).toISOString(),
  };
}

function originalHeaders(headers: Record<string, string>): Record<string, string> {
  const original: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(ORIGINAL_HEADER_PREFIX)) continue;
    original.push([postgresText(name.slice(ORIGINAL_HEADER_PREFIX.length)), postgresText(value)]);
  }
  return Object.fromEntries(original);
}
