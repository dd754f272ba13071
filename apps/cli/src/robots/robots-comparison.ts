import { groupsFor, keysOf, type NamedGroup, type RobotsFile, type RobotsRule, type UserAgentLine } from '#libs/robots';

/** Agent with different rules in the two files. */
export interface RobotsDifference {
  token: string;
  wanted: readonly RobotsRule[];
  /** Groups of the other file that apply to the agent: its own, or else those for `*`. Can be empty. */
  found: NamedGroup[];
  /** True if the groups name the agent. */
  isNamed: boolean;
}

export interface RobotsComparison {
  tokens: string[];
  differences: RobotsDifference[];
  /** User agents of the other file that the rendering doesn't name, without duplicates. */
  others: UserAgentLine[];
}

/** Compares two files for each agent that the rendering names. */
export function compareRobots(rendering: RobotsFile, other: RobotsFile): RobotsComparison {
  const tokens = rendering.groups.flatMap(({ userAgents }) => userAgents.map(({ name }) => name));
  const differences = tokens.flatMap((token): RobotsDifference[] => {
    const wanted = rulesOf(groupsFor(rendering, token));
    const found = groupsFor(other, token);
    if (meaning(wanted) === meaning(rulesOf(found))) return [];
    return [{ token, wanted, found, isNamed: other.byName.has(token.toLowerCase()) }];
  });
  return { tokens, differences, others: othersIn(other, rendering) };
}

function othersIn({ groups }: RobotsFile, rendering: RobotsFile): UserAgentLine[] {
  const others = new Map<string, UserAgentLine>();
  for (const line of groups.flatMap(({ userAgents }) => userAgents)) {
    const keys = keysOf(line.name);
    const [key] = keys;
    if (key === undefined || others.has(key) || keys.some((one) => rendering.byName.has(one))) continue;
    others.set(key, line);
  }
  return [...others.values()];
}

const joined = new WeakMap<readonly NamedGroup[], readonly RobotsRule[]>();

/** Returns the rules of all groups. Cached, because most agents share the groups for `*`. */
export function rulesOf(groups: readonly NamedGroup[]): readonly RobotsRule[] {
  if (groups.length === 1) return groups[0]!.rules;
  const known = joined.get(groups) ?? groups.flatMap(({ rules }) => rules);
  joined.set(groups, known);
  return known;
}

const meanings = new WeakMap<readonly RobotsRule[], string>();

function meaning(rules: readonly RobotsRule[]): string {
  const known = meanings.get(rules) ?? meaningOf(rules);
  meanings.set(rules, known);
  return known;
}

/**
 * Returns a text that is the same for equivalent rules, as far as this is easy to determine. Ignores the order of
 * rules, duplicates, and rules that match no path. Without allow rules, also ignores rules that are covered by others.
 */
function meaningOf(rules: readonly RobotsRule[]): string {
  const effective = rules.filter(({ pattern: { text } }) => /^[/*]/.test(text));
  if (effective.some(({ isAllow }) => isAllow)) {
    const texts = effective.map(({ isAllow, pattern }) => `${isAllow ? '+' : '-'}${pattern.text}`);
    return [...new Set(texts)].sort().join(' ');
  }
  const covering: string[] = [];
  // In sorted order, paths that start with another path directly follow it.
  for (const path of effective.map(({ pattern: { text } }) => withoutStarsAtEnd(text) || '/').sort()) {
    const last = covering.at(-1);
    if (last === undefined || last.endsWith('$') || !path.startsWith(last)) covering.push(path);
  }
  return [...new Set(covering)].map((path) => `-${path}`).join(' ');
}

function withoutStarsAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '*') end--;
  return text.slice(0, end);
}
