import type { AgentDefinition } from './agent.js';
import { buildAutomaton, type LiteralAutomaton } from './literal-automaton.js';
import { NamePositions } from './name-positions.js';
import { needsOf, type PatternNeeds } from './pattern-literals.js';
import { parsePattern } from './pattern.js';
import { edgesHold, plainPattern, plainText, type PlainPattern } from './plain-pattern.js';
import { boundedUserAgent, userAgentMemory } from './user-agent-memory.js';

export interface AgentMatch {
  agent: AgentDefinition;
  /** Part of the User-Agent that matched, in its original case. */
  matchedText: string;
  /** Offset of `matchedText` in UTF-16 code units. */
  start: number;
}

const newMemory = () => userAgentMemory<{ match: AgentMatch | null }>(10_000, 200);

interface CompiledPattern {
  agent: AgentDefinition;
  /** `null` if `expression` must run. */
  plain: PlainPattern | null;
  expression: RegExp;
  /** Fixed rank, or `null` to rank by match length. */
  rank: number | null;
  maxRank: number;
  /** Lowercase. */
  excludedPrefixes: readonly string[];
  /**
   * Whether matches also count inside words, contact addresses and apps. Always true for patterns that aren't portable.
   */
  isLoose: boolean;
}

/**
 * Returns a pattern's fixed rank, or `null` if matches rank by length.
 * Generic agents and fallback patterns rank below the shortest literal.
 */
export function rankOf(agent: AgentDefinition, pattern: string): number | null {
  if (agent.fallback_patterns?.includes(pattern)) return 2;
  if (!agent.generic) return null;
  return agent.framework ? 2 : 1;
}

/**
 * Finds the agent named in a User-Agent. The highest-ranked match wins, then the leftmost, then the agent listed first.
 * Empty matches don't count. Neither do matches inside words, contact addresses, device models and names of people's
 * apps, unless the pattern is one of the agent's `loose_patterns`.
 *
 * One pass over the User-Agent finds the literals that patterns require. Patterns that consist of a literal are matched
 * in the same pass. The regular expressions of the other candidates run afterwards. Patterns without a required literal
 * run on every search. So do patterns that an earlier release accepted, but that are no longer supported.
 */
export class AgentMatcher {
  private readonly patterns: CompiledPattern[] = [];
  private readonly automaton: LiteralAutomaton;
  /** Pattern indices by literal index. */
  private readonly patternsOfLiteral: number[][] = [];
  /** Indices of patterns without a required literal. */
  private readonly unsieved: number[] = [];
  /** Number of the last search that queued a pattern, by pattern index. */
  private readonly queuedIn: Uint32Array;
  private searches = 0;
  /** Created on first use, because it is expensive compared with a small matcher. */
  private remembered: ReturnType<typeof newMemory> | null = null;

  /** @throws {SyntaxError} if a pattern doesn't compile. */
  constructor(agents: readonly AgentDefinition[]) {
    const literals = new Map<string, number>();
    for (const agent of agents) for (const source of agent.user_agent_patterns) this.add(agent, source, literals);
    this.automaton = buildAutomaton([...literals.keys()]);
    this.queuedIn = new Uint32Array(this.patterns.length);
  }

  /** Sources of patterns without a required literal. They slow down every search. */
  get unsievedPatterns(): string[] {
    return this.unsieved.map((index) => this.patterns[index]!.expression.source);
  }

  private add(agent: AgentDefinition, source: string, literals: Map<string, number>): void {
    const { plain, isPortable, literals: required, longest } = lookedFor(source);
    const index = this.patterns.length;
    const rank = rankOf(agent, source);
    this.patterns.push({
      agent,
      plain,
      expression: new RegExp(source, 'gi'),
      rank,
      maxRank: rank ?? longest,
      excludedPrefixes: (agent.excluded_prefixes ?? []).map((prefix) => prefix.toLowerCase()),
      isLoose: !isPortable || (agent.loose_patterns?.includes(source) ?? false),
    });
    if (required.length === 0) this.unsieved.push(index);
    for (const literal of required) {
      const number = literals.get(literal) ?? literals.size;
      literals.set(literal, number);
      (this.patternsOfLiteral[number] ??= []).push(index);
    }
  }

  /** Returns the best match, or `null` if no pattern matches. Caches results and truncates long User-Agents. */
  match(userAgent: string): AgentMatch | null {
    const text = boundedUserAgent(userAgent);
    const remembered = (this.remembered ??= newMemory());
    const known = remembered.get(text);
    if (known !== undefined) return known.match;
    const match = this.find(text);
    remembered.set(text, { match });
    return match;
  }

  /** Like {@link match}, but without the cache or the length limit. Runs in linear time. */
  find(text: string): AgentMatch | null {
    const search = new Search(text);
    this.run(search);
    if (search.rank === 0) return null;
    // Device models and app names rarely contain an agent's name, so only the best match is checked.
    if (!this.patterns[search.pattern]!.isLoose && search.isBestPersonal()) {
      search.restart();
      this.run(search);
      if (search.rank === 0) return null;
    }
    const { agent } = this.patterns[search.pattern]!;
    return { agent, matchedText: text.slice(search.start, search.start + search.length), start: search.start };
  }

  /**
   * Returns every agent with a matching pattern, without duplicates, in catalog order. With `inProse`, includes agents
   * that are only mentioned in a sentence.
   */
  findAll(text: string, { inProse = false } = {}): AgentDefinition[] {
    const { transitions, shift, classes, firstOutput, outputs } = this.automaton;
    const candidates = new Set(this.unsieved);
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      state = code < 128 ? transitions[(state << shift) | classes[code]!]! : 0;
      if (state < firstOutput) continue;
      for (const literal of outputs[state - firstOutput]!) {
        for (const pattern of this.patternsOfLiteral[literal]!) candidates.add(pattern);
      }
    }
    const search = new Search(text, inProse);
    search.restart();
    const matching = [...candidates].toSorted((one, other) => one - other).map((index) => this.patterns[index]!);
    return [...new Set(matching.filter((pattern) => search.first(pattern) !== null).map(({ agent }) => agent))];
  }

  private run(search: Search): void {
    for (const index of this.scan(search)) this.runExpression(index, search);
    for (const index of this.unsieved) this.runExpression(index, search);
  }

  /** Matches plain patterns. Returns the indices of the other candidates, without duplicates. */
  private scan(search: Search): number[] {
    const { transitions, shift, classes, firstOutput } = this.automaton;
    const { text } = search;
    const queue: number[] = [];
    this.searches = (this.searches + 1) >>> 0 || 1;
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      state = code < 128 ? transitions[(state << shift) | classes[code]!]! : 0;
      if (state >= firstOutput) this.settle(state, index + 1, search, queue);
    }
    return queue;
  }

  private settle(state: number, end: number, search: Search, queue: number[]): void {
    for (const literal of this.automaton.outputs[state - this.automaton.firstOutput]!) {
      for (const index of this.patternsOfLiteral[literal]!) {
        const pattern = this.patterns[index]!;
        const { plain } = pattern;
        if (plain === null) {
          if (this.queuedIn[index] !== this.searches) queue.push(index);
          this.queuedIn[index] = this.searches;
        } else {
          const { length } = plain.text;
          const start = end - length;
          const rank = pattern.rank ?? length;
          if (!search.isBeatenBy(rank, start, index) || !edgesHold(plain, search.text, start, end)) continue;
          if (search.counts(pattern, start, end)) search.take(rank, start, index, length);
        }
      }
    }
  }

  private runExpression(index: number, search: Search): void {
    const pattern = this.patterns[index]!;
    if (pattern.maxRank < search.rank) return;
    const match = search.first(pattern);
    if (match === null) return;
    const { length } = match[0];
    const rank = pattern.rank ?? length;
    if (search.isBeatenBy(rank, match.index, index)) search.take(rank, match.index, index, length);
  }
}

interface Sought extends Pick<CompiledPattern, 'plain'>, Pick<PatternNeeds, 'literals' | 'longest'> {
  /** Whether the pattern is in the subset that `pattern.ts` parses. */
  isPortable: boolean;
}

/** Returns the literals to search for, and the plain form if the expression isn't needed. */
function lookedFor(source: string): Sought {
  const text = plainText(source);
  if (text !== null) return { plain: text, isPortable: true, literals: [text.text], longest: text.text.length };
  const tree = parsePattern(source);
  if (tree === null) return { plain: null, isPortable: false, literals: [], longest: Infinity };
  const plain = plainPattern(tree);
  const { literals, longest } = needsOf(tree);
  return { plain, isPortable: true, literals: plain === null ? literals : [plain.text], longest };
}

class Search {
  rank = 0;
  length = 0;
  start = 0;
  pattern = 0;
  private looksForPersonal = false;
  private positions: NamePositions | null = null;

  constructor(
    readonly text: string,
    private readonly countsProse = false,
  ) {}

  /** Discards the best match. From now on, device models and names of people's apps don't count. */
  restart(): void {
    this.rank = 0;
    this.looksForPersonal = true;
  }

  isBeatenBy(rank: number, start: number, pattern: number): boolean {
    if (rank !== this.rank) return rank > this.rank;
    return start === this.start ? pattern < this.pattern : start < this.start;
  }

  take(rank: number, start: number, pattern: number, length: number): void {
    this.rank = rank;
    this.start = start;
    this.pattern = pattern;
    this.length = length;
  }

  /** Returns whether the best match is a device model or a person's app. */
  isBestPersonal(): boolean {
    return this.positions?.isPersonal(this.start, this.start + this.length) ?? false;
  }

  /** Returns the first non-empty match that counts, or `null`. */
  first(pattern: CompiledPattern): RegExpExecArray | null {
    const { expression } = pattern;
    expression.lastIndex = 0;
    let match = expression.exec(this.text);
    while (match !== null && match[0] !== '' && !this.counts(pattern, match.index, match.index + match[0].length)) {
      expression.lastIndex = match.index + 1;
      match = expression.exec(this.text);
    }
    return match?.[0] ? match : null;
  }

  /** Returns whether a match at this position can name the sender. */
  counts(pattern: CompiledPattern, start: number, end: number): boolean {
    if (this.isExcluded(pattern, start)) return false;
    if (pattern.isLoose) return true;
    this.positions ??= new NamePositions(this.text);
    if (!this.positions.isName(start, end)) return false;
    if (pattern.rank === null && !this.countsProse && this.positions.isProse(start, end)) return false;
    return !(this.looksForPersonal && this.positions.isPersonal(start, end));
  }

  private isExcluded({ excludedPrefixes }: CompiledPattern, start: number): boolean {
    if (excludedPrefixes.length === 0) return false;
    return excludedPrefixes.some(
      (prefix) => this.text.slice(Math.max(0, start - prefix.length), start).toLowerCase() === prefix,
    );
  }
}
