import type { AuditFilters } from '../api/audit.js';
import { CHANGE_LABELS, SUBJECT_LABELS } from './labels.js';

/** Audit log filters and the ID of the open entry, as stored in the URL. */
export interface AuditSearch extends AuditFilters {
  entry?: string;
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const isKey = <T extends object>(names: T, value: unknown): value is keyof T =>
  typeof value === 'string' && Object.hasOwn(names, value);

/** Parses URL search parameters, ignoring invalid ones. */
export function parseAuditSearch({ actor, subject, change, from, to, entry }: Record<string, unknown>): AuditSearch {
  const isText = typeof actor === 'string' || typeof actor === 'number';
  return {
    ...(isText && actor !== '' && { actor: String(actor) }),
    ...(isKey(SUBJECT_LABELS, subject) && { subject }),
    ...(isKey(CHANGE_LABELS, change) && { change }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(typeof entry === 'string' && entry !== '' && { entry }),
  };
}
