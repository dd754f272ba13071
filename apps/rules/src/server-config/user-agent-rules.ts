import type { Agent, CompiledCatalog } from '#libs/catalog';
import { nameEdges, wholeName, type NameEdges } from './name-edges.js';
import { literalText, notPrecededBy, patternText, type Dialect } from './pattern-text.js';
import { plainBrowsers } from './plain-browsers.js';
import { rankedPatterns, type RankedPattern } from './competing-patterns.js';

/** Maximum expression size in bytes. nginx limits words to 4,095 bytes. */
const MAX_EXPRESSION_BYTES = 3_500;

/** Rule that applies if its expression matches anywhere in the User-Agent, ignoring case. */
export interface UserAgentRule {
  /** Target of matching visitors, or null if the rule keeps later rules from applying to them. */
  target: string | null;
  expression: string;
  /** Tokens of the agents that the expression covers, without duplicates. Empty for the rule that allows browsers. */
  tokens: string[];
}

/** Ordered rules. The first one that matches decides. Visitors that don't match any rule have no target. */
interface UserAgentRules {
  rules: UserAgentRule[];
  /** Tokens of listed agents that can't be recognized by User-Agent, because they have no patterns. */
  unrecognizable: string[];
  /** Tokens of listed agents for which a pattern was omitted because it's unsupported or too long. */
  unsupported: string[];
}

interface Alternative {
  agent: Agent;
  text: string;
  target: string | null;
  rank: number;
  /** Most likely first character of a match, used to group alternatives. */
  initial: string;
  /**
   * Used to restrict matches to whole names. Null if `text` already does this, or if matches don't have to be whole
   * names.
   */
  ends: NameEdges | null;
}

/**
 * Returns rules that assign targets to visitors identified as one of the listed agents. Separate rules exclude unlisted
 * agents if a listed agent's pattern also matches them, such as `Googlebot-Image` if Googlebot is listed.
 *
 * Patterns whose order doesn't matter are grouped by first character, so servers can quickly skip an entire group. Each
 * group is sorted, because Go only factors out common prefixes of adjacent alternatives.
 *
 * @param targets Targets by listed agent. The keys must be object-identical to the catalog's agents.
 */
export function userAgentRules(
  targets: ReadonlyMap<Agent, string>,
  catalog: CompiledCatalog,
  dialect: Dialect,
): UserAgentRules {
  const unsupported = new Set<string>();
  const patterns = rankedPatterns(catalog);
  const listedPatterns = patterns.filter(({ agent }) => targets.has(agent));
  const alternatives = patterns.flatMap((pattern): Alternative[] => {
    const { agent, rank } = pattern;
    const target = targets.get(agent) ?? null;
    if (target === null && ![...pattern.rivals].some((rival) => targets.has(rival))) return [];
    let found = toAlternativeText(pattern, dialect);
    if (found === null && target !== null) unsupported.add(agent.token);
    // If an unlisted agent has an unusable pattern, exclude every User-Agent that contains the matching text from its
    // sample. Letting too many agents through is less harmful than blocking the wrong one.
    if (found === null && target === null && /^[\x20-\x7e]+$/.test(pattern.matchedText))
      found = { text: literalText(pattern.matchedText), ends: null };
    return found === null ? [] : [{ agent, ...found, target, rank, initial: firstCharacter(pattern) }];
  });
  const browsers = alternatives.length === 0 ? null : plainBrowsers(listedPatterns.flatMap(({ tree }) => tree ?? []));
  return {
    rules: [
      ...(browsers === null ? [] : [{ target: null, expression: browsers, tokens: [] }]),
      ...splitRuns(alternatives).flatMap((run) => joinAlternatives(run, dialect)),
    ],
    unrecognizable: sortTokens(
      [...targets.keys()].filter((agent) => agent.user_agent_patterns.length === 0).map(({ token }) => token),
    ),
    unsupported: sortTokens([...unsupported]),
  };
}

/** Returns null if the pattern is unsupported or too long. */
function toAlternativeText(
  { agent, source, tree }: RankedPattern,
  dialect: Dialect,
): Pick<Alternative, 'text' | 'ends'> | null {
  if (tree === null) return null;
  const { excluded_prefixes: excluded = [], loose_patterns: loose = [] } = agent;
  const ends = loose.includes(source) ? null : nameEdges(tree, source);
  const pattern = patternText(source, dialect);
  const hasExclusions = excluded.length > 0;
  const text = !hasExclusions
    ? pattern
    : ends === null
      ? `${notPrecededBy(excluded, dialect)}(?:${pattern})`
      : wholeName(pattern, ends, excluded, dialect);
  return text.length > MAX_EXPRESSION_BYTES ? null : { text, ends: hasExclusions ? null : ends };
}

function firstCharacter({ tree, source }: RankedPattern): string {
  const first = tree?.kind === 'sequence' ? tree.parts.find((part) => part.kind === 'set') : undefined;
  const [code, ...others] = first?.kind === 'set' ? first.codes : [];
  return code === undefined || others.length > 0 ? firstLetter(source) : String.fromCharCode(code);
}

/** Guesses the first letter of a match. A wrong guess only affects speed. */
const firstLetter = (source: string): string =>
  (/(?<![\\?<=!])[a-z0-9]{3}/i.exec(source)?.[0]?.[0] ?? '').toLowerCase();

/** Sorts alternatives by descending rank and splits them into runs with the same target. */
function splitRuns(alternatives: Alternative[]): Alternative[][] {
  const runs: Alternative[][] = [];
  const descending = alternatives.toSorted(
    (one, other) => other.rank - one.rank || compare(one.target ?? '', other.target ?? ''),
  );
  for (const alternative of descending) {
    const run = runs.at(-1);
    if (run?.[0]?.target === alternative.target) run.push(alternative);
    else runs.push([alternative]);
  }
  return runs;
}

function joinAlternatives(run: Alternative[], dialect: Dialect): UserAgentRule[] {
  const rules: (UserAgentRule & Pick<Alternative, 'initial' | 'ends'>)[] = [];
  for (const { agent, text, target, initial, ends } of run.toSorted(compareAlternatives)) {
    const rule = rules.at(-1);
    const isFull = rule === undefined || rule.expression.length + text.length >= MAX_EXPRESSION_BYTES;
    if (isFull || initial !== rule.initial || edgesKey(ends) !== edgesKey(rule.ends)) {
      rules.push({ target, expression: text, tokens: [agent.token], initial, ends });
    } else {
      rule.expression += `|${text}`;
      if (!rule.tokens.includes(agent.token)) rule.tokens.push(agent.token);
    }
  }
  return rules.map(({ target, expression, tokens, ends }) => ({
    target,
    expression: ends === null ? expression : wholeName(expression, ends, [], dialect),
    tokens,
  }));
}

function compareAlternatives(one: Alternative, other: Alternative): number {
  return (
    compare(one.initial, other.initial) ||
    compare(edgesKey(one.ends), edgesKey(other.ends)) ||
    compare(one.text.toLowerCase(), other.text.toLowerCase()) ||
    compare(one.agent.token, other.agent.token)
  );
}

const edgesKey = (ends: NameEdges | null): string =>
  ends === null ? '' : `${ends.beginsWithWord} ${ends.last} ${ends.hasVariants}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const sortTokens = (tokens: string[]): string[] =>
  tokens.toSorted((one, other) => compare(one.toLowerCase(), other.toLowerCase()));
