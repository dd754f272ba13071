import type { AuditFilters } from '../api/audit.js';
import { CHANGES, SUBJECTS } from './words.js';

/** Which entries an address shows, and of which the details. */
export interface AuditSearch extends AuditFilters {
  entry?: string;
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const isKey = <T extends object>(names: T, value: unknown): value is keyof T =>
  typeof value === 'string' && Object.hasOwn(names, value);

/** Reads an address; what does not fit is left out. */
export function readAudit({ actor, subject, change, from, to, entry }: Record<string, unknown>): AuditSearch {
  const isText = typeof actor === 'string' || typeof actor === 'number';
  return {
    ...(isText && actor !== '' && { actor: String(actor) }),
    ...(isKey(SUBJECTS, subject) && { subject }),
    ...(isKey(CHANGES, change) && { change }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(typeof entry === 'string' && entry !== '' && { entry }),
  };
}
