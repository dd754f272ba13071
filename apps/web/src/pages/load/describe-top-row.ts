import { getLoadCost, type Prices } from '#libs/contracts/load-cost';
import { formatBytes } from '../../format/bytes.js';
import { formatPercent } from '../../format/change.js';
import { formatDuration } from '../../format/duration.js';
import { formatList } from '../../load/load-text.js';
import { MEASURES, type LoadAmounts } from './measures.js';
import type { Measure } from './search.js';

/** Maximum share of a cost whose amount is left out if it's rounded to the same amount as the total. */
const MAX_INDISTINCT_SHARE = 0.95;
/** Minimum share of a cost for which one price is named as its main cause. */
const MAIN_SHARE = 0.6;

const VERBS: Record<Measure, string> = { cost: 'cost you', bytes: 'was sent', time: 'used', requests: 'made' };

interface TopRowContext {
  project: Prices;
  /** Marks estimates. */
  mark: (text: string) => string;
}

/**
 * Describes an agent's part of the load and its cause, to complete a sentence that starts with the agent's name, such as
 * "cost you $6.41 of $8.69 (74%), mostly server time (1 h 46 min)."
 */
export function describeTopRow(top: LoadAmounts, total: LoadAmounts, measure: Measure, context: TopRowContext): string {
  const { project, mark } = context;
  const format = (load: LoadAmounts): string =>
    mark(MEASURES[measure].format(MEASURES[measure].value(load, project) ?? 0, project));
  const share = (MEASURES[measure].value(top, project) ?? 0) / (MEASURES[measure].value(total, project) ?? 1);
  const part = top.requests === total.requests ? format(top) : `${format(top)} of ${format(total)}`;
  const percent = top.requests === total.requests ? '' : ` (${formatPercent(share)})`;
  const cause = describeCause(top, measure, context);
  const isTiny = MEASURES[measure].isTiny?.(MEASURES[measure].value(top, project) ?? 0, project) === true;
  const isIndistinct =
    measure === 'cost' && (isTiny || (share < MAX_INDISTINCT_SHARE && format(top) === format(total)));
  const amount = isIndistinct
    ? `caused ${formatPercent(share)} of the cost`
    : `${VERBS[measure]} ${part}${MEASURES[measure].unit}${percent}`;
  return `${amount}${cause === null ? '' : `, ${cause}`}.`;
}

function describeCause(top: LoadAmounts, measure: Measure, { project, mark }: TopRowContext): string | null {
  const { bytes, server_time_ms: time, requests } = top;
  const size = bytes === null ? null : mark(formatBytes(bytes));
  const duration = time === null ? null : mark(formatDuration(time));
  if (measure === 'bytes') return `or ${formatBytes(bytes! / requests)} per request`;
  if (measure === 'time') return `or ${formatDuration(time! / requests)} per request`;
  if (measure === 'requests') return null;
  const cost = getLoadCost(top, project)!;
  const sizeCost = getLoadCost({ bytes, server_time_ms: null }, project);
  const timeCost = getLoadCost({ bytes: null, server_time_ms: time }, project);
  if (timeCost === null) return `for ${size}`;
  if (sizeCost === null) return `for ${duration} of server time`;
  if (timeCost >= MAIN_SHARE * cost) return `mostly server time (${duration})`;
  if (sizeCost >= MAIN_SHARE * cost) return `mostly data sent (${size})`;
  return `for ${formatList([size!, `${duration} of server time`])}`;
}
