/** Optional columns in a visit list, in display order. The time is always shown. */
export const COLUMN_LABELS = {
  verdict: 'Verdict',
  agent: 'Agent',
  operator: 'Operator',
  request: 'Request',
  status: 'Status',
  duration: 'Duration',
  address: 'Address',
  origin: 'Referrer or tool',
  host: 'Host',
  userAgent: 'User-Agent',
  reason: 'Reason',
} as const;
export type ColumnName = keyof typeof COLUMN_LABELS;

export const COLUMN_NAMES = Object.keys(COLUMN_LABELS) as ColumnName[];
export const DEFAULT_COLUMNS: readonly ColumnName[] = [
  'verdict',
  'agent',
  'request',
  'status',
  'duration',
  'address',
  'origin',
];

/** Parses comma-separated column names. Returns them in display order, or null if none is valid. */
export function parseColumns(text: unknown): readonly ColumnName[] | null {
  const names = typeof text === 'string' ? text.split(',') : [];
  const columns = COLUMN_NAMES.filter((name) => names.includes(name));
  return columns.length === 0 ? null : columns;
}
