import type { AddressEvidence, DatedRanges } from './address-evidence.js';
import type { AddressMatch } from './address-index.js';
import type { Address } from './address.js';
import { canRefute, type CheckTimes } from './check-times.js';
import type { IpRangeStep } from './verification.js';
import { IP_RANGE_REASONS, type IpRangeReason } from './vocabulary.js';

/**
 * Checks whether an address is in an agent's published ranges. Ranges and visits of any age can confirm an agent. To
 * refute a claim, the ranges must be complete, and both the ranges and the visit must be at most 7 days old.
 */
export function checkIpRange(address: Address, evidence: AddressEvidence, times: CheckTimes): IpRangeStep {
  const mostSpecificMatch = findMostSpecific(address, evidence.sources);
  if (mostSpecificMatch !== null) {
    return toStep('ok', {
      range: mostSpecificMatch.match.range,
      list_url: mostSpecificMatch.source.url,
      as_of: toRfc3339(mostSpecificMatch.source.asOf),
    });
  }
  const asOf = { as_of: toRfc3339(findOldestDate(evidence.sources)) };
  if (!canRangesRefute(evidence, times.now)) return toStep('list_too_old', asOf);
  return toStep(canRefute(times.at, times.now) ? 'address_not_listed' : 'visit_too_old', asOf);
}

function toStep(
  reason: IpRangeReason,
  { range = null, list_url = null, as_of }: Pick<IpRangeStep, 'as_of'> & Partial<IpRangeStep>,
): IpRangeStep {
  return { method: 'ip_range', outcome: IP_RANGE_REASONS[reason][0], reason, range, list_url, as_of };
}

/** Returns the most specific match. Published lists come first, so they win over catalog ranges if blocks are equal. */
function findMostSpecific(
  address: Address,
  sources: readonly DatedRanges[],
): { match: AddressMatch<unknown>; source: DatedRanges } | null {
  let best: { match: AddressMatch<unknown>; source: DatedRanges } | null = null;
  for (const source of sources) {
    const match = source.index.find(address);
    if (match !== null && (best === null || match.prefixLength > best.match.prefixLength)) best = { match, source };
  }
  return best;
}

/** Returns true if the ranges are complete and recent enough to refute a claim. */
function canRangesRefute({ sources, isComplete }: AddressEvidence, now: number): boolean {
  return isComplete && sources.every(({ asOf }) => asOf === null || canRefute(asOf, now));
}

function findOldestDate(sources: readonly DatedRanges[]): number | null {
  const dates = sources.map(({ asOf }) => asOf).filter((asOf) => asOf !== null);
  return dates.length === 0 ? null : Math.min(...dates);
}

/** Cache of the last formatted date, because consecutive visits are often checked against the same ranges. */
let lastFormatted = { time: Number.NaN, text: '' };

function toRfc3339(time: number | null): string | null {
  if (time === null) return null;
  if (time !== lastFormatted.time) lastFormatted = { time, text: new Date(time).toISOString() };
  return lastFormatted.text;
}
