import type { DeadLetter } from '#libs/bus';
import { isUuid } from '#libs/contracts';
import { wellFormedText } from '#libs/visit-store';

/** Sanitizes a dead letter for PostgreSQL. Other programs can publish malformed ones. */
export const toDeadLetterRow = (letter: DeadLetter): DeadLetter => ({
  ...letter,
  projectId: letter.projectId !== null && isUuid(letter.projectId) ? letter.projectId : null,
  topic: wellFormedText(letter.topic),
  key: textOrNull(letter.key),
  headers: Object.fromEntries(
    Object.entries(letter.headers).map(([name, value]) => [wellFormedText(name), wellFormedText(value)]),
  ),
  reason: wellFormedText(letter.reason),
  detail: wellFormedText(letter.detail),
  step: wellFormedText(letter.step),
  offset: textOrNull(letter.offset),
});

const textOrNull = (text: string | null): string | null => (text === null ? null : wellFormedText(text));
