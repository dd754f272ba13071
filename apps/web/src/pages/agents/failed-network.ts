import type { VisitingAgent } from '../../api/statistics.js';
import { MAX_AGENT_ADDRESSES } from '../../api/constants.js';
import { formatCount } from '../../format/count.js';

/**
 * Describes a new network that explains a rise, if all of its visits failed verification. Null otherwise, or if some of
 * the agent's addresses aren't listed.
 */
export function describeFailedNetwork({
  change_causes: causes,
  addresses,
  is_sampled: isSampled,
}: Pick<VisitingAgent, 'change_causes' | 'addresses' | 'is_sampled'>): string | null {
  const cause = causes?.find(({ dimension }) => dimension === 'network');
  if (cause === undefined || cause.previous_visits > 0) return null;
  if (isSampled || addresses.length >= MAX_AGENT_ADDRESSES) return null;
  const own = addresses.filter(({ network }) => network === cause.value);
  return own.length > 0 && own.every(({ result }) => result === 'verification_failed')
    ? `${formatCount(cause.visits)} came from ${cause.value}, and all of those failed verification`
    : null;
}
