import type { Account } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';

const pluralize = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const joinWithAnd = (parts: string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/**
 * Describes the API keys, invitations and password links that stop working when an account is removed or demoted.
 * Returns an empty string if there are none.
 */
export function describeLosses({ made }: Pick<Account, 'made'>, isRemoved: boolean): string {
  const invitations = isRemoved ? made.invitations : made.invitations_elsewhere;
  const parts = [
    ...(made.api_keys > 0 ? [pluralize(made.api_keys, 'API key', 'API keys')] : []),
    ...(invitations > 0 ? [pluralize(invitations, 'open invitation', 'open invitations')] : []),
    ...(made.password_resets > 0 ? [pluralize(made.password_resets, 'password link', 'password links')] : []),
  ];
  const total = made.api_keys + invitations + made.password_resets;
  return total === 0 ? '' : `${joinWithAnd(parts)} they created ${total === 1 ? 'stops' : 'stop'} working.`;
}
