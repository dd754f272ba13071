import type { Account } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';

const counted = (count: number, one: string, many: string): string => `${countText(count)} ${count === 1 ? one : many}`;

/** Joins parts into a phrase such as "A, B and C". */
const listed = (parts: string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Describes what stops working when an account is removed or demoted, such as API keys. Empty if nothing does. */
export function lossesText({ made }: Pick<Account, 'made'>, isRemoved: boolean): string {
  const invitations = isRemoved ? made.invitations : made.invitations_elsewhere;
  const parts = [
    ...(made.api_keys > 0 ? [counted(made.api_keys, 'API key', 'API keys')] : []),
    ...(invitations > 0 ? [counted(invitations, 'open invitation', 'open invitations')] : []),
    ...(made.password_resets > 0 ? [counted(made.password_resets, 'password link', 'password links')] : []),
  ];
  const total = made.api_keys + invitations + made.password_resets;
  return total === 0 ? '' : `${listed(parts)} that they made ${total === 1 ? 'stops' : 'stop'} working.`;
}
