import type { AddressEvidence, DatedRanges } from './address-evidence.js';
import type { AddressMatch } from './address-index.js';
import type { Address } from './address.js';
import { canRefute, type CheckTimes } from './check-times.js';
import type { IpRangeStep } from './verification.js';
import { IP_RANGE_REASONS, type IpRangeReason } from './vocabulary.js';

/**
 * Checks whether an address is in an agent's published ranges. Ranges and visits of any age can prove an agent. To
 * refute a claim, the ranges must be complete, and both ranges and visit must be at most 7 days old.
 */
export function ipRange(address: Address, evidence: AddressEvidence, times: CheckTimes): IpRangeStep {
  const found = mostSpecific(address, evidence.sources);
  if (found !== null) {
    return step('ok', {
      range: found.match.range,
      list_url: found.source.url,
      as_of: rfc3339(found.source.asOf),
    });
  }
  const asOf = { as_of: rfc3339(oldest(evidence.sources)) };
  if (!canSayNo(evidence, times.now)) return step('list_too_old', asOf);
  return step(canRefute(times.at, times.now) ? 'address_not_listed' : 'visit_too_old', asOf);
}

function step(
  reason: IpRangeReason,
  { range = null, list_url = null, as_of }: Pick<IpRangeStep, 'as_of'> & Partial<IpRangeStep>,
): IpRangeStep {
  return { method: 'ip_range', outcome: IP_RANGE_REASONS[reason][0], reason, range, list_url, as_of };
}

/** Returns the most specific match. If blocks are equal, published lists win because they come first. */
function mostSpecific(
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

/** Returns whether the ranges are complete and recent enough to refute a claim. */
function canSayNo({ sources, isComplete }: AddressEvidence, now: number): boolean {
  return isComplete && sources.every(({ asOf }) => asOf === null || canRefute(asOf, now));
}

function oldest(sources: readonly DatedRanges[]): number | null {
  const dates = sources.map(({ asOf }) => asOf).filter((asOf) => asOf !== null);
  return dates.length === 0 ? null : Math.min(...dates);
}

/** Most recently formatted date. Consecutive visits are often checked against the same ranges. */
let written = { time: Number.NaN, text: '' };

function rfc3339(time: number | null): string | null {
  if (time === null) return null;
  if (time !== written.time) written = { time, text: new Date(time).toISOString() };
  return written.text;
}
