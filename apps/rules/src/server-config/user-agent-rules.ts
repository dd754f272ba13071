import type { PatternNode } from '#libs/agents';
import type { Agent, CompiledCatalog } from '#libs/catalog';
import type { Dialect } from './character-set.js';
import { plainBrowsers } from './plain-browsers.js';
import { isWrittenOut, loosenedPattern, MAX_ALTERNATIVE_BYTES, translatePattern } from './pattern-translation.js';
import { rankedPatterns, type RankedPattern } from './sample-rivals.js';

/** An expression, to be searched in the User-Agent ignoring case. */
export interface UserAgentRule {
  /** Whether who matches is refused, or let through. */
  refuses: boolean;
  /** Alternatives, each of an agent; as {@link translatePattern} writes them. */
  expression: string;
  /** Whose patterns these are, each once, in the order of the alternatives; none of browsers. */
  tokens: string[];
}

/** The first rule that matches decides; who matches none is let through. */
export interface UserAgentRules {
  rules: UserAgentRule[];
  /** Tokens of listed agents whose User-Agent tells nothing, because they are known by other means alone. */
  unseen: string[];
  /** Tokens of listed agents with a pattern that the dialect can't say; nobody is refused by it. */
  unsaid: string[];
}

interface Alternative {
  agent: Agent;
  text: string;
  refuses: boolean;
  rank: number;
  /** What it most likely begins with. */
  initial: string;
}

/**
 * Rules that refuse whom the engine takes for one of the listed agents. Others that share a text with a listed agent,
 * as `Googlebot-Image` does with Googlebot, are let through by rules of their own.
 *
 * Patterns between which the order doesn't matter are joined by the character they begin with: a server finds out with
 * one look that none of them begins here. Within, they are in the order of their texts, since Go's expressions follow
 * what neighbours have in common only once.
 */
export function userAgentRules(listed: readonly Agent[], catalog: CompiledCatalog, dialect: Dialect): UserAgentRules {
  const isListed = new Set(listed);
  const unsaid = new Set<string>();
  const patterns = rankedPatterns(catalog);
  const refusing = patterns.filter(({ agent }) => isListed.has(agent));
  const alternatives = patterns.flatMap((pattern): Alternative[] => {
    const { agent, rank, tree } = pattern;
    const refuses = isListed.has(agent);
    if (!refuses && ![...pattern.rivals].some((rival) => isListed.has(rival))) return [];
    let texts = tree === null ? null : writtenOf(tree, dialect);
    if (texts === null && refuses) unsaid.add(agent.token);
    // Letting too many through does less harm than refusing one who isn't meant.
    if (texts === null) texts = tree === null || refuses ? [] : loosenedPattern(tree);
    return texts.map((text) => ({ agent, text, refuses, rank, initial: initialOf(pattern) }));
  });
  const browsers = alternatives.length === 0 ? null : plainBrowsers(refusing.flatMap(({ tree }) => tree ?? []));
  return {
    rules: [
      ...(browsers === null ? [] : [{ refuses: false, expression: browsers, tokens: [] }]),
      ...runsOf(alternatives).flatMap(joined),
    ],
    unseen: sorted(listed.filter((agent) => agent.user_agent_patterns.length === 0).map(({ token }) => token)),
    unsaid: sorted([...unsaid]),
  };
}

/** What patterns were written as; the same ones are asked for with each request. */
const written: Record<Dialect, WeakMap<PatternNode, string[] | null>> = { pcre: new WeakMap(), re2: new WeakMap() };

function writtenOf(tree: PatternNode, dialect: Dialect): string[] | null {
  let texts = written[dialect].get(tree);
  if (texts === undefined) {
    texts = translatePattern(tree, dialect);
    written[dialect].set(tree, texts);
  }
  return texts;
}

function initialOf({ tree, source }: RankedPattern): string {
  const first = tree?.kind === 'sequence' ? tree.parts.find((part) => part.kind === 'set') : undefined;
  const [code, ...others] = first?.kind === 'set' ? first.codes : [];
  return code === undefined || others.length > 0 ? firstLetter(source) : String.fromCharCode(code);
}

/** Of a text in the pattern; what it is a guess, and matters for speed alone. */
const firstLetter = (source: string): string =>
  (/(?<![\\?<=!])[a-z0-9]{3}/i.exec(source)?.[0]?.[0] ?? '').toLowerCase();

/** Parted wherever the verdict changes on the way down the ranks. */
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

function joined(run: Alternative[]): UserAgentRule[] {
  const rules: UserAgentRule[] = [];
  let lastInitial: string | null = null;
  for (const { agent, text, refuses, initial } of run.toSorted(compareAlternatives)) {
    const rule = rules.at(-1);
    const isFull = rule === undefined || rule.expression.length + text.length >= MAX_ALTERNATIVE_BYTES;
    const isLarge = isWrittenOut(text) || (rule !== undefined && isWrittenOut(rule.expression));
    if (isFull || isLarge || initial !== lastInitial) rules.push({ refuses, expression: text, tokens: [agent.token] });
    else {
      rule.expression += `|${text}`;
      if (!rule.tokens.includes(agent.token)) rule.tokens.push(agent.token);
    }
    lastInitial = initial;
  }
  return rules;
}

function compareAlternatives(one: Alternative, other: Alternative): number {
  return (
    compare(one.initial, other.initial) ||
    compare(one.text.toLowerCase(), other.text.toLowerCase()) ||
    compare(one.agent.token, other.agent.token)
  );
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const sorted = (tokens: string[]): string[] =>
  tokens.toSorted((one, other) => compare(one.toLowerCase(), other.toLowerCase()));
