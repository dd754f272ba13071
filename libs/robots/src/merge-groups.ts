import { isUsage } from './merge-signals.js';
import { compilePattern, type PathPattern } from './path-pattern.js';
import {
  ANY_AGENT,
  getLookupKeys,
  type RobotsFile,
  type RobotsLine,
  type RobotsRecord,
  type RobotsRule,
} from './robots-file.js';

/** Agent and the site's own line that decides on it. */
export interface SiteDecision {
  name: string;
  line: RobotsLine;
}

type Rule = Pick<RobotsRule, 'isAllow' | 'pattern'>;

interface WantedGroup {
  names: string[];
  /** Lines other than user agents. */
  records: RobotsRecord[];
  rules: Rule[];
}

export interface MergedGroups {
  /** Groups to add, as lines without line endings. */
  groups: string[][];
  /** Agents left out because the site's own groups already have the same effect. */
  covered: SiteDecision[];
  /** Agents that both the site's own groups and the added ones name, so the rules of both apply. */
  named: SiteDecision[];
  /** Rules of the site that override a part of the wanted ones. */
  contradictions: SiteDecision[];
}

/** Reads the groups of rendered rules. */
export function readGroups(records: Iterable<RobotsRecord>): WantedGroup[] {
  const groups: WantedGroup[] = [];
  for (const record of records) {
    if (record.startsGroup) groups.push({ names: [], records: [], rules: [] });
    const group = groups.at(-1);
    const { kind, value } = record;
    if (group === undefined || kind === 'license') continue;
    if (kind === 'user-agent') group.names.push(value);
    else group.records.push(record);
    if (isRule(kind) && value !== '') group.rules.push({ isAllow: kind === 'allow', pattern: compilePattern(value) });
  }
  return groups;
}

const isRule = (kind: string): boolean => kind === 'allow' || kind === 'disallow';

/**
 * Decides which agents need a group in addition to the site's own ones. An agent without a group follows the rules for
 * {@link ANY_AGENT}, so these are repeated in its new group, unless the wanted rules apply to all paths.
 */
export function mergeGroups(
  wanted: readonly WantedGroup[],
  site: RobotsFile,
  own: readonly RobotsRecord[],
): MergedGroups {
  const merged: MergedGroups = { groups: [], covered: [], named: [], contradictions: [] };
  const inheritable = findInheritable(own);
  const anyAgentRules = (site.byName.get(ANY_AGENT) ?? []).flatMap(({ rules }) => rules);
  const inheritingGroups = new Map<string, { names: string[]; lines: string[] }>();
  for (const { names, records, rules } of wanted) {
    const inherited = appliesToAllPaths(rules)
      ? []
      : inheritable.filter(({ kind }) => !isUsage(kind) || !records.some((record) => record.kind === kind));
    const [plain, inheriting]: [string[], string[]] = [[], []];
    for (const name of names) {
      const groups = site.byName.get(name.toLowerCase());
      if (groups === undefined) {
        (inherited.length > 0 ? inheriting : plain).push(name);
        continue;
      }
      const siteRules = groups.flatMap((group) => group.rules);
      const line = groups[0]!.userAgent;
      merged.contradictions.push(...findOverrides(siteRules, rules).map((rule) => ({ name, line: rule })));
      if (rules.every((rule) => isRedundant(siteRules, rule))) merged.covered.push({ name, line });
      else {
        merged.named.push({ name, line });
        plain.push(name);
      }
    }
    const add = (agents: string[], lines: readonly RobotsRecord[]): void => {
      if (agents.length === 0) return;
      merged.groups.push([...toUserAgents(agents), ...lines.map(({ text }) => text)]);
    };
    add(plain, records);
    if (inheriting.length > 0) {
      // One group is enough for all agents with the same lines, because it repeats many of them.
      const lines = [...inherited, ...records].map(({ text }) => text);
      const key = lines.join('\n');
      const group = inheritingGroups.get(key) ?? { names: [], lines };
      group.names.push(...inheriting);
      inheritingGroups.set(key, group);
      const overrides = findOverrides(anyAgentRules, rules);
      merged.contradictions.push(...overrides.map((rule) => ({ name: ANY_AGENT, line: rule })));
    }
  }
  for (const { names, lines } of inheritingGroups.values()) merged.groups.push([...toUserAgents(names), ...lines]);
  return { ...merged, contradictions: dropRepeated(merged.contradictions) };
}

const toUserAgents = (names: readonly string[]): string[] => names.map((name) => `User-agent: ${name}`);

/** Returns the site's lines for {@link ANY_AGENT} that an agent loses when it gets its own group. */
function findInheritable(own: readonly RobotsRecord[]): RobotsRecord[] {
  return splitGroups(own)
    .filter((group) =>
      group.some(({ kind, value }) => kind === 'user-agent' && getLookupKeys(value).includes(ANY_AGENT)),
    )
    .flatMap((group) => group.filter(({ kind }) => isRule(kind) || isUsage(kind) || kind === 'crawl-delay'));
}

function splitGroups(records: readonly RobotsRecord[]): RobotsRecord[][] {
  const groups: RobotsRecord[][] = [];
  for (const record of records) {
    if (record.startsGroup) groups.push([]);
    groups.at(-1)?.push(record);
  }
  return groups;
}

/** Returns true if rules disallow or allow everything, so no other rule can change the result. */
const appliesToAllPaths = (rules: readonly Rule[]): boolean =>
  rules.every(({ isAllow }) => !isAllow) &&
  (rules.length === 0 || rules.some(({ pattern: { text } }) => /^(?:\/|\*)\**$/.test(text)));

/** Returns true if adding the rule to the site's rules for an agent changes nothing. */
function isRedundant(siteRules: readonly RobotsRule[], { isAllow, pattern }: Rule): boolean {
  if (siteRules.some((rule) => rule.isAllow === isAllow && rule.pattern.text === pattern.text)) return true;
  const covers = (other: PathPattern): boolean =>
    other.text === other.prefix && pattern.prefix.startsWith(other.prefix);
  return !isAllow && siteRules.every((rule) => !rule.isAllow) && siteRules.some((rule) => covers(rule.pattern));
}

/** Returns the site's rules that win over wanted ones on some paths. If everything is wanted, no rule may disallow. */
const findOverrides = (siteRules: readonly RobotsRule[], wanted: readonly Rule[]): RobotsRule[] =>
  siteRules.filter(({ isAllow, pattern }) =>
    wanted.length === 0
      ? !isAllow
      : wanted.some(
          (rule) =>
            !rule.isAllow &&
            isAllow &&
            pattern.length >= rule.pattern.length &&
            (pattern.prefix.startsWith(rule.pattern.prefix) || rule.pattern.prefix.startsWith(pattern.prefix)),
        ),
  );

/** Drops all but one contradiction per agent and line. */
const dropRepeated = (decisions: readonly SiteDecision[]): SiteDecision[] => [
  ...new Map(decisions.map((decision) => [`${decision.line.line} ${decision.name}`, decision])).values(),
];
