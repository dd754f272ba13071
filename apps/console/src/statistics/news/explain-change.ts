import type { ChangeCause } from '#libs/contracts';
import type { ChangePart } from '#libs/visit-store';
import { getNetwork } from '../network.js';

/** Minimum share of a change for a cause to be named. */
const MIN_SHARE = 0.6;
/** A cause's share of the change must exceed its share of the earlier visits by this much. Otherwise, it's usual. */
const MIN_SHARE_ABOVE_USUAL = 0.25;

interface PartCount {
  value: string;
  visits: number;
  previous_visits: number;
}

interface RankedPart extends PartCount {
  share: number;
  isUnusual: boolean;
}

/**
 * Returns what explains a clear majority of the difference between two ranges: at most one network, verdict, page and
 * status. Returns an empty list if nothing does.
 */
export function explainChange(parts: readonly ChangePart[]): ChangeCause[] {
  const results = parts.filter(({ dimension }) => dimension === 'result');
  const [total, previous] = [sum(results, 'visits'), sum(results, 'previous_visits')];
  const totals = { change: total - previous, before: Math.min(total, previous) };
  if (totals.change === 0) return [];
  const find = (dimension: ChangePart['dimension']): RankedPart | null =>
    findCause(groupParts(parts.filter((part) => part.dimension === dimension)), totals);
  const [network, result, page, status] = [find('network'), find('result'), find('page'), find('status')];
  const causes: [ChangeCause['dimension'], RankedPart | null][] = [
    ['network', network],
    ['page', page],
    ['status', status !== null && isSuccess(status.value) ? null : status],
  ];
  const unusual = causes.filter(([, part]) => part?.isUnusual);
  // The verdict describes the visits of the other causes, so it doesn't need to be unusual itself.
  if (result !== null && (result.isUnusual || unusual.length > 0)) unusual.push(['verdict', result]);
  return unusual.map(([dimension, part]) => {
    const { value, visits, previous_visits: previousVisits } = part!;
    return { dimension, value, visits, previous_visits: previousVisits };
  });
}

/** Returns the value with the largest share of a change, or null if that's not a clear majority. */
function findCause(
  counts: readonly PartCount[],
  { change, before }: { change: number; before: number },
): RankedPart | null {
  const ranked = counts
    .filter(({ value }) => value !== '')
    .map((part) => {
      const share = (part.visits - part.previous_visits) / change;
      const usual = before === 0 ? 0 : Math.min(part.visits, part.previous_visits) / before;
      return { ...part, share, isUnusual: share >= usual + MIN_SHARE_ABOVE_USUAL };
    })
    .toSorted((one, other) => other.share - one.share || (one.value < other.value ? -1 : 1));
  const [first] = ranked;
  return first === undefined || first.share < MIN_SHARE ? null : first;
}

/** Sums parts by value, and addresses by network. */
function groupParts(parts: readonly ChangePart[]): PartCount[] {
  const groups = new Map<string, PartCount>();
  for (const { dimension, value: text, visits, previous_visits: previous } of parts) {
    const value = dimension === 'network' ? (getNetwork(text) ?? '') : text;
    const group = groups.get(value) ?? { value, visits: 0, previous_visits: 0 };
    group.visits += visits;
    group.previous_visits += previous;
    groups.set(value, group);
  }
  return [...groups.values()];
}

const isSuccess = (status: string): boolean => status.startsWith('2') || status.startsWith('3');

const sum = (parts: readonly ChangePart[], key: 'visits' | 'previous_visits'): number =>
  parts.reduce((total, part) => total + part[key], 0);
