import { parseContentSignal, type ContentSignal } from './content-signal.js';
import { parseContentUsage, type UsagePreference } from './content-usage.js';
import { compilePattern, toComparablePath, type PathPattern } from './path-pattern.js';
import { ANY_AGENT, getLookupKeys, MAX_ROBOTS_BYTES, parseRecords, type RobotsLine } from './robots-file.js';

interface UsageRule extends RobotsLine {
  /** Null if the rule applies to all paths. */
  pattern: PathPattern | null;
  preferences: UsagePreference[];
}

interface UsageGroup {
  names: string[];
  rules: UsageRule[];
  signals: (RobotsLine & ContentSignal)[];
}

/** Preferences of a site for the use of its content, according to robots.txt. */
export interface RobotsUsage {
  /**
   * Returns the `Content-Usage` rules that apply to a path: those with the longest matching path
   * (draft-ietf-aipref-attach-05, section 3.1). There are several if their paths are equal.
   *
   * @param token The agent's product token, or {@link ANY_AGENT}.
   */
  findRules(token: string, path: string): UsageRule[];
  /** Returns the `Content-Signal` lines that apply to an agent. */
  findSignals(token: string): (RobotsLine & ContentSignal)[];
}

/** Maximum number of rules and signals. Files are untrusted. */
const MAX_LINES = 1_000;

/**
 * Parses the `Content-Usage` and `Content-Signal` lines of a robots.txt file. An agent follows the groups that name it
 * or, if there are none, those for {@link ANY_AGENT}. `Content-Signal` lines before the first group apply to agents
 * whose groups have none.
 */
export function parseRobotsUsage(bytes: Uint8Array, maxBytes = MAX_ROBOTS_BYTES): RobotsUsage {
  const groups: UsageGroup[] = [{ names: [], rules: [], signals: [] }];
  let lines = 0;
  for (const { line, text, kind, value, startsGroup } of parseRecords(bytes, maxBytes)) {
    if (startsGroup) groups.push({ names: [], rules: [], signals: [] });
    const group = groups.at(-1)!;
    if (kind === 'user-agent') group.names.push(...getLookupKeys(value));
    const isUsage = kind === 'content-usage';
    if ((!isUsage && kind !== 'content-signal') || lines === MAX_LINES) continue;
    lines += 1;
    if (isUsage) group.rules.push({ line, text, ...parseRule(value) });
    else group.signals.push({ line, text, ...parseContentSignal(value) });
  }
  const named = new Set(groups.flatMap(({ names }) => names));
  const [beforeGroups] = groups as [UsageGroup];
  const findGroups = (token: string): UsageGroup[] => {
    const key = token.toLowerCase();
    const name = named.has(key) ? key : ANY_AGENT;
    return groups.filter(({ names }) => names.includes(name));
  };
  return {
    findRules: (token, path) => {
      const comparable = toComparablePath(path);
      const matches = findGroups(token)
        .flatMap(({ rules }) => rules)
        .filter(({ pattern }) => pattern === null || pattern.matches(comparable));
      const longest = Math.max(...matches.map(getLength));
      return matches.filter((rule) => getLength(rule) === longest);
    },
    findSignals: (token) => {
      const signals = findGroups(token).flatMap((group) => group.signals);
      return signals.length > 0 ? signals : beforeGroups.signals;
    },
  };
}

const getLength = ({ pattern }: UsageRule): number => pattern?.length ?? 0;

/** Parses `[path ]label=value, label=value`. */
function parseRule(value: string): Pick<UsageRule, 'pattern' | 'preferences'> {
  if (!value.startsWith('/')) return { pattern: null, preferences: parseContentUsage(value) };
  const end = value.search(/[ \t]/);
  const path = end === -1 ? value : value.slice(0, end);
  return {
    pattern: compilePattern(path),
    preferences: end === -1 ? [] : parseContentUsage(value.slice(end + 1).trim()),
  };
}
