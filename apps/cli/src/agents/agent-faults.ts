import type { Fault } from '#libs/contracts';
import { shortened, visible } from '../terminal-text.js';

const LONGEST = 300;

/**
 * Returns a fault like `/12/user_agent_patterns/0 (ShopBot) does not compile: …`. Tokens are easier to find than
 * indexes.
 */
export function describeFault({ pointer, detail }: Fault, records: readonly unknown[]): string {
  const record = records[Number(/^\/(\d+)(?:\/|$)/.exec(pointer)?.[1])];
  const token = typeof record === 'object' && record !== null && 'token' in record ? record.token : undefined;
  const name = typeof token === 'string' && token !== '' ? ` (${shortened(token, 40)})` : '';
  return visible(`${pointer || '/'}${name} ${shortened(detail, LONGEST)}`);
}
