import type { VisitingAgent } from '../../api/statistics.js';
import { MAX_AGENT_ADDRESSES } from '../../api/constants.js';
import { formatCount } from '../../format/count.js';

const OUTCOMES: Partial<Record<VisitingAgent['addresses'][number]['result'], string>> = {
  verification_failed: 'all of those failed verification',
  not_verifiable: 'none of those could be verified',
};

/**
 * Describes a new network that explains a rise, if all of its visits failed verification, or none could be
 * verified. Null otherwise, or if some of the agent's addresses aren't listed.
 */
export function describeNewNetwork({
  change_causes: causes,
  addresses,
  is_sampled: isSampled,
}: Pick<VisitingAgent, 'change_causes' | 'addresses' | 'is_sampled'>): string | null {
  const cause = causes?.find(({ dimension }) => dimension === 'network');
  if (cause === undefined || cause.previous_visits > 0) return null;
  if (isSampled || addresses.length >= MAX_AGENT_ADDRESSES) return null;
  const results = new Set(addresses.filter(({ network }) => network === cause.value).map(({ result }) => result));
  const [result] = results;
  const outcome = results.size === 1 ? OUTCOMES[result!] : undefined;
  return outcome === undefined ? null : `${formatCount(cause.visits)} came from ${cause.value}, and ${outcome}`;
}
