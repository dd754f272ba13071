import { formatChange, NEGLIGIBLE_CHANGE, NO_CHANGE } from './change.js';

/** Describes the change in a number of visits as part of a sentence, such as "up 55%". */
export function describeChange(visits: number, previous: number): string {
  if (previous === 0 && visits > 0) return 'up from 0';
  const change = formatChange(visits, previous);
  if (change === NO_CHANGE || change === NEGLIGIBLE_CHANGE) return 'about as many as before';
  if (change.startsWith('×')) return `${change.slice(1)} times as many as before`;
  return `${visits > previous ? 'up' : 'down'} ${change.replace(/^[+−]/, '')}`;
}
