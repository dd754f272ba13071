import { groupsFor, keysOf, type NamedGroup, type RobotsFile, type RobotsRule, type UserAgentLine } from '#libs/robots';

/** An agent that another file tells something else. */
export interface RobotsDifference {
  token: string;
  wanted: readonly RobotsRule[];
  /** What counts for it there: its groups, else those for anybody; may be none. */
  found: NamedGroup[];
  /** Whether those name it. */
  isNamed: boolean;
}

export interface RobotsComparison {
  /** Agents that were compared. */
  tokens: string[];
  differences: RobotsDifference[];
  /** The other file's user agents that are not among them, each once. */
  others: UserAgentLine[];
}

/** Compares what two files say to each agent that one of them names. */
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

/** Without a copy where there is but one group, and else with one only, as most agents share the groups for anybody. */
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
 * A text that is the same for rules that allow the same, as far as that is easily told: their order doesn't matter, nor
 * the spelling of paths, nor rules that match no path; nor, where nothing is allowed explicitly, those that others cover.
 */
function meaningOf(rules: readonly RobotsRule[]): string {
  const effective = rules.filter(({ pattern: { text } }) => /^[/*]/.test(text));
  if (effective.some(({ isAllow }) => isAllow)) {
    const texts = effective.map(({ isAllow, pattern }) => `${isAllow ? '+' : '-'}${pattern.text}`);
    return [...new Set(texts)].sort().join(' ');
  }
  const covering: string[] = [];
  // In this order what begins with another one comes after it, and nothing that doesn't comes in between.
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
