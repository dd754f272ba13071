/** Audit log filters and the ID of the open entry, as stored in the URL. */
export interface AuditSearch {
  actor?: string;
  /** Unvalidated, because every page loads this module and the labels are large. */
  subject?: string;
  change?: string;
  from?: string;
  to?: string;
  entry?: string;
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** Parses URL search parameters, ignoring invalid ones. */
export function parseAuditSearch({ actor, subject, change, from, to, entry }: Record<string, unknown>): AuditSearch {
  const isText = typeof actor === 'string' || typeof actor === 'number';
  return {
    ...(isText && actor !== '' && { actor: String(actor) }),
    ...(typeof subject === 'string' && { subject }),
    ...(typeof change === 'string' && { change }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(typeof entry === 'string' && entry !== '' && { entry }),
  };
}
