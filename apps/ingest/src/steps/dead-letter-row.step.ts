import type { DeadLetter } from '#libs/bus';
import { isUuid } from '#libs/contracts';
import { postgresText } from '#libs/visit-store';

/** Returns a dead letter as PostgreSQL can store it. Other programs can publish dead letters, too. */
export const deadLetterRow = (letter: DeadLetter): DeadLetter => ({
  ...letter,
  projectId: letter.projectId !== null && isUuid(letter.projectId) ? letter.projectId : null,
  topic: postgresText(letter.topic),
  key: textOrNull(letter.key),
  headers: Object.fromEntries(
    Object.entries(letter.headers).map(([name, value]) => [postgresText(name), postgresText(value)]),
  ),
  reason: postgresText(letter.reason),
  detail: postgresText(letter.detail),
  step: postgresText(letter.step),
  offset: textOrNull(letter.offset),
});

const textOrNull = (text: string | null): string | null => (text === null ? null : postgresText(text));
