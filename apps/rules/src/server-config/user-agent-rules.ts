import type { Agent, CompiledCatalog } from '#libs/catalog';
import { endsOf, wholeName, type Ends } from './name-edges.js';
import { literalText, notBehind, patternText, type Dialect } from './pattern-text.js';
import { plainBrowsers } from './plain-browsers.js';
import { rankedPatterns, type RankedPattern } from './competing-patterns.js';

/** Maximum size of an expression in bytes. nginx limits words to 4,095 bytes. */
const MAX_EXPRESSION_BYTES = 3_500;

/** Regular expression that is searched for in the User-Agent, ignoring case. */
export interface UserAgentRule {
  /** Whether matching visitors are blocked. If not, they are let through. */
  refuses: boolean;
  expression: string;
  /** Tokens of the patterns' agents, without duplicates, in the order of the alternatives. Empty for browsers. */
  tokens: string[];
}

/** The first matching rule decides. Visitors that don't match any rule are let through. */
interface UserAgentRules {
  rules: UserAgentRule[];
  /** Tokens of listed agents without patterns, which can't be recognized by User-Agent. */
  unseen: string[];
  /** Tokens of listed agents with a pattern that is unsupported or too long. That pattern blocks nobody. */
  unsaid: string[];
}

interface Alternative {
  agent: Agent;
  text: string;
  refuses: boolean;
  rank: number;
  /** The most likely first character of a match. */
  initial: string;
  /** Edges for restricting the matches to whole names. `null` if any match counts, or if `text` restricts them. */
  ends: Ends | null;
}

/**
 * Returns rules that block visitors identified as one of the listed agents. Other agents that share text with a listed
 * one, such as `Googlebot-Image` with Googlebot, are let through by separate rules.
 *
 * Patterns whose order doesn't matter are grouped by first character, so servers can quickly skip an entire group. Each
 * group is sorted, because Go only factors out common prefixes of adjacent alternatives.
 */
export function userAgentRules(listed: readonly Agent[], catalog: CompiledCatalog, dialect: Dialect): UserAgentRules {
  const isListed = new Set(listed);
  const unsaid = new Set<string>();
  const patterns = rankedPatterns(catalog);
  const refusing = patterns.filter(({ agent }) => isListed.has(agent));
  const alternatives = patterns.flatMap((pattern): Alternative[] => {
    const { agent, rank } = pattern;
    const refuses = isListed.has(agent);
    if (!refuses && ![...pattern.rivals].some((rival) => isListed.has(rival))) return [];
    let found = textOf(pattern, dialect);
    if (found === null && refuses) unsaid.add(agent.token);
    // Letting too many agents through does less harm than blocking the wrong one.
    if (found === null && !refuses && /^[\x20-\x7e]+$/.test(pattern.matchedText))
      found = { text: literalText(pattern.matchedText), ends: null };
    return found === null ? [] : [{ agent, ...found, refuses, rank, initial: initialOf(pattern) }];
  });
  const browsers = alternatives.length === 0 ? null : plainBrowsers(refusing.flatMap(({ tree }) => tree ?? []));
  return {
    rules: [
      ...(browsers === null ? [] : [{ refuses: false, expression: browsers, tokens: [] }]),
      ...runsOf(alternatives).flatMap((run) => joined(run, dialect)),
    ],
    unseen: sorted(listed.filter((agent) => agent.user_agent_patterns.length === 0).map(({ token }) => token)),
    unsaid: sorted([...unsaid]),
  };
}

/** Returns `null` if the pattern can't be expressed. */
function textOf({ agent, source, tree }: RankedPattern, dialect: Dialect): Pick<Alternative, 'text' | 'ends'> | null {
  if (tree === null) return null;
  const { excluded_prefixes: excluded = [], loose_patterns: loose = [] } = agent;
  const ends = loose.includes(source) ? null : endsOf(tree, source);
  const pattern = patternText(source, dialect);
  const isAlone = excluded.length > 0;
  const text = !isAlone
    ? pattern
    : ends === null
      ? `${notBehind(excluded, dialect)}(?:${pattern})`
      : wholeName(pattern, ends, excluded, dialect);
  return text.length > MAX_EXPRESSION_BYTES ? null : { text, ends: isAlone ? null : ends };
}

function initialOf({ tree, source }: RankedPattern): string {
  const first = tree?.kind === 'sequence' ? tree.parts.find((part) => part.kind === 'set') : undefined;
  const [code, ...others] = first?.kind === 'set' ? first.codes : [];
  return code === undefined || others.length > 0 ? firstLetter(source) : String.fromCharCode(code);
}

/** Guesses the first letter of a match. A wrong guess only affects speed. */
const firstLetter = (source: string): string =>
  (/(?<![\\?<=!])[a-z0-9]{3}/i.exec(source)?.[0]?.[0] ?? '').toLowerCase();

/** Sorts by descending rank, and splits wherever the verdict changes. */
function runsOf(alternatives: Alternative[]): Alternative[][] {
  const runs: Alternative[][] = [];
  const descending = alternatives.toSorted(
    (one, other) => other.rank - one.rank || Number(one.refuses) - Number(other.refuses),
  );
  for (const alternative of descending) {
    const run = runs.at(-1);
    if (run?.[0]?.refuses === alternative.refuses) run.push(alternative);
    else runs.push([alternative]);
  }
  return runs;
}

function joined(run: Alternative[], dialect: Dialect): UserAgentRule[] {
  const rules: (UserAgentRule & Pick<Alternative, 'initial' | 'ends'>)[] = [];
  for (const { agent, text, refuses, initial, ends } of run.toSorted(compareAlternatives)) {
    const rule = rules.at(-1);
    const isFull = rule === undefined || rule.expression.length + text.length >= MAX_EXPRESSION_BYTES;
    if (isFull || initial !== rule.initial || keyOf(ends) !== keyOf(rule.ends)) {
      rules.push({ refuses, expression: text, tokens: [agent.token], initial, ends });
    } else {
      rule.expression += `|${text}`;
      if (!rule.tokens.includes(agent.token)) rule.tokens.push(agent.token);
    }
  }
  return rules.map(({ refuses, expression, tokens, ends }) => ({
    refuses,
    expression: ends === null ? expression : wholeName(expression, ends, [], dialect),
    tokens,
  }));
}

function compareAlternatives(one: Alternative, other: Alternative): number {
  return (
    compare(one.initial, other.initial) ||
    compare(keyOf(one.ends), keyOf(other.ends)) ||
    compare(one.text.toLowerCase(), other.text.toLowerCase()) ||
    compare(one.agent.token, other.agent.token)
  );
}

const keyOf = (ends: Ends | null): string =>
  ends === null ? '' : `${ends.beginsWithWord} ${ends.last} ${ends.hasVariants}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const sorted = (tokens: string[]): string[] =>
  tokens.toSorted((one, other) => compare(one.toLowerCase(), other.toLowerCase()));
