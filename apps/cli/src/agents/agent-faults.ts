import type { Fault } from '#libs/contracts';
import { truncate, escapeInvisible } from '../terminal-text.js';

const MAX_DETAIL_LENGTH = 300;

/**
 * Describes a fault in a file of agents, such as `/12/user_agent_patterns/0 (ShopBot) does not compile: …`. Includes the
 * agent's token, because it's easier to find in the file than an index.
 */
export function describeFault({ pointer, detail }: Fault, records: readonly unknown[]): string {
  const record = records[Number(/^\/(\d+)(?:\/|$)/.exec(pointer)?.[1])];
  const token = typeof record === 'object' && record !== null && 'token' in record ? record.token : undefined;
  const name = typeof token === 'string' && token !== '' ? ` (${truncate(token, 40)})` : '';
  return escapeInvisible(`${pointer || '/'}${name} ${truncate(detail, MAX_DETAIL_LENGTH)}`);
}
