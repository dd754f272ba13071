import {
  findGroups,
  getLookupKeys,
  type NamedGroup,
  type RobotsFile,
  type RobotsRule,
  type UserAgentLine,
} from '#libs/robots';

/** Agent to which the two files apply different rules. */
export interface RobotsDifference {
  token: string;
  wanted: readonly RobotsRule[];
  /**
   * Groups in the other file that apply to the agent. If no group names the agent, these are the groups for `*`. Can be
   * empty.
   */
  found: NamedGroup[];
  /** True if the groups name the agent, false if they are for `*`. */
  isNamed: boolean;
}

export interface RobotsComparison {
  tokens: string[];
  differences: RobotsDifference[];
  /** User agents in the other file that the rendered rules don't name, without duplicates. */
  others: UserAgentLine[];
}

/** Compares the rules in two files for each agent that the rendered rules name. */
export function compareRobots(rendering: RobotsFile, other: RobotsFile): RobotsComparison {
  const tokens = rendering.groups.flatMap(({ userAgents }) => userAgents.map(({ name }) => name));
  const differences = tokens.flatMap((token): RobotsDifference[] => {
    const wanted = joinRules(findGroups(rendering, token));
    const found = findGroups(other, token);
    if (getCanonicalText(wanted) === getCanonicalText(joinRules(found))) return [];
    return [{ token, wanted, found, isNamed: other.byName.has(token.toLowerCase()) }];
  });
  return { tokens, differences, others: findOthers(other, rendering) };
}

function findOthers({ groups }: RobotsFile, rendering: RobotsFile): UserAgentLine[] {
  const others = new Map<string, UserAgentLine>();
  for (const line of groups.flatMap(({ userAgents }) => userAgents)) {
    const keys = getLookupKeys(line.name);
    const [key] = keys;
    if (key === undefined || others.has(key) || keys.some((one) => rendering.byName.has(one))) continue;
    others.set(key, line);
  }
  return [...others.values()];
}

const joinedRules = new WeakMap<readonly NamedGroup[], readonly RobotsRule[]>();

/** Returns the rules in all groups. The result is cached, because most agents share the groups for `*`. */
export function joinRules(groups: readonly NamedGroup[]): readonly RobotsRule[] {
  if (groups.length === 1) return groups[0]!.rules;
  const cached = joinedRules.get(groups) ?? groups.flatMap(({ rules }) => rules);
  joinedRules.set(groups, cached);
  return cached;
}

const canonicalTexts = new WeakMap<readonly RobotsRule[], string>();

function getCanonicalText(rules: readonly RobotsRule[]): string {
  const cached = canonicalTexts.get(rules) ?? toCanonicalText(rules);
  canonicalTexts.set(rules, cached);
  return cached;
}

/**
 * Returns a canonical string for a set of rules. Ignores order, duplicates and rules that match no path. Without allow
 * rules, also ignores rules covered by others. Some equivalent sets still have different strings.
 */
function toCanonicalText(rules: readonly RobotsRule[]): string {
  const effective = rules.filter(({ pattern: { text } }) => /^[/*]/.test(text));
  if (effective.some(({ isAllow }) => isAllow)) {
    const texts = effective.map(({ isAllow, pattern }) => `${isAllow ? '+' : '-'}${pattern.text}`);
    return [...new Set(texts)].sort().join(' ');
  }
  const covering: string[] = [];
  // Drop paths that are covered by a shorter one. In sorted order, the shorter path always comes first.
  for (const path of effective.map(({ pattern: { text } }) => trimTrailingStars(text) || '/').sort()) {
    const last = covering.at(-1);
    if (last === undefined || last.endsWith('$') || !path.startsWith(last)) covering.push(path);
  }
  return [...new Set(covering)].map((path) => `-${path}`).join(' ');
}

function trimTrailingStars(text: string): string {
  let end = text.length;
  while (text[end - 1] === '*') end--;
  return text.slice(0, end);
}
