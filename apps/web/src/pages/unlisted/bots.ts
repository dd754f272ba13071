import type { UnlistedGroup } from '../../api/unlisted-user-agents.js';
import { getProgramName, getVisitorName } from '../../format/program-name.js';
import { OPERATOR_PALETTE } from '../../ui/operator-colors.js';

/** Number of bots with a color of their own. */
export const MAX_COLORED_BOTS = 5;
const OTHER_COLOR = 'var(--kind-unknown)';

/** Positions in the palette whose colors are easy to distinguish. */
const COLOR_ORDER = [2, 1, 6, 4, 5];

/** Returns each bot's color in charts and lists, by its group. */
export function getBotColors(ranked: readonly Pick<UnlistedGroup, 'user_agent_group'>[]): ReadonlyMap<string, string> {
  return new Map(
    ranked.map(({ user_agent_group: group }, index) => [
      group,
      index < MAX_COLORED_BOTS ? OPERATOR_PALETTE[COLOR_ORDER[index]!]! : OTHER_COLOR,
    ]),
  );
}

/** Returns a bot's name, such as "ShelfScout", or "Posing as Chrome on Windows" if it sends a browser's user agent. */
export function getBotName({ user_agent_group: group }: Pick<UnlistedGroup, 'user_agent_group'>): string {
  const name = getVisitorName(group);
  const isBrowser = name !== group && group.startsWith('Mozilla/') && !group.includes('compatible');
  return isBrowser ? `Posing as ${name}` : name;
}

/** Shorter names match too many other user agents. */
const MIN_NAME_LENGTH = 4;
/** Parts of names that stand for something else, such as versions, or that browsers send, too. */
const UNUSABLE_PARTS = ['*', '(', 'Mozilla'];

/** Returns the name by which a rule can recognize a user agent, or null if it would also match browsers. */
export function getBlockableName(userAgent: string): string | null {
  const name = getProgramName(userAgent);
  return name.length < MIN_NAME_LENGTH || UNUSABLE_PARTS.some((part) => name.includes(part)) ? null : name;
}
