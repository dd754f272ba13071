import type { Prices } from '#libs/contracts/load-cost';
import { formatChange } from '../../format/change.js';
import { MEASURES, type LoadAmounts } from './measures.js';
import type { Measure } from './search.js';

/** Smaller changes aren't news. */
const MIN_CHANGE = 0.1;

interface ChangeContext {
  project: Prices;
  /** Name of the comparison range, such as "the 24 hours before". */
  before: string;
  /** Marks estimates. */
  mark: (text: string) => string;
}

/** Describes how much the load changed, as in "Cost rose 210% to $0.74". Null if the change is small or unknown. */
export function describeChange(
  current: LoadAmounts,
  previous: LoadAmounts,
  measure: Measure,
  { project, before, mark }: ChangeContext,
): string | null {
  const { label, value, format, isTiny, changeScale } = MEASURES[measure];
  const [now, then] = [value(current, project), value(previous, project)];
  if (now === null || then === null || then === 0 || Math.abs(now / then - 1) < MIN_CHANGE) return null;
  const change = formatChange(now * changeScale, then * changeScale);
  const verb = now > then ? 'rose' : 'fell';
  const to = isTiny?.(now, project) ? '' : ` to ${mark(format(now, project))}`;
  if (change.endsWith('%')) return `${label} ${verb} ${change.replace(/^[+−]/, '')}${to}`;
  if (change.startsWith('×')) return `${label} ${verb}${to}, ${change.slice(1)} times as much as ${before}`;
  return null;
}
