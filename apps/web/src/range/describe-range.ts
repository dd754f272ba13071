import { getPreset, type RangeSearch } from './range.js';

const PHRASES: Record<NonNullable<ReturnType<typeof getPreset>>, string> = {
  '1h': 'in the last hour',
  today: 'today',
  yesterday: 'yesterday',
  '24h': 'in the last 24 hours',
  '7d': 'in the last 7 days',
  '30d': 'in the last 30 days',
  '90d': 'in the last 90 days',
  '12mo': 'in the last 12 months',
  all: 'so far',
};

/** Returns the selected range as an adverbial for sentences, such as "in the last 30 days" or "in this range". */
export function describeRange(search: RangeSearch): string {
  const preset = getPreset(search);
  return preset === null ? 'in this range' : PHRASES[preset];
}
