import type { PolicyRequest } from './policy-request.js';
import type { PolicyMatch } from './policy.js';

/**
 * Returns the key of the allowance that a request uses. All addresses of an agent share an allowance. Visitors that are
 * verified as the agent have their own, so impostors can't use it up. Unknown visitors have one per IPv4 address or /64
 * network, because an IPv6 visitor controls all addresses of its network.
 *
 * @param clientAddress Address of the visitor in canonical form (RFC 5952 for IPv6), or null if unknown.
 */
export function getAllowanceKey(
  { id }: PolicyMatch,
  { visitor }: Pick<PolicyRequest, 'visitor'>,
  clientAddress: string | null,
): string {
  const who = visitor.agent_token?.toLowerCase() ?? `address ${clientAddress === null ? '' : toNetwork(clientAddress)}`;
  return `${id}:${visitor.result === 'verified' ? 'verified' : 'unverified'}:${who}`;
}

/** Returns the first 64 bits of an IPv6 address as four groups, or else the address. */
function toNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after = ''] = address.split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
