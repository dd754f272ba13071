import type { AgentDefinition } from './agent.js';
import { buildAutomaton, type LiteralAutomaton } from './literal-automaton.js';
import { NamePositions } from './name-positions.js';
import { analyzePattern, type PatternAnalysis } from './pattern-literals.js';
import { parsePattern } from './pattern.js';
import { matchesEdges, toPlainPattern, parsePlainText, type PlainPattern } from './plain-pattern.js';
import { truncateUserAgent, createUserAgentCache } from './user-agent-cache.js';

export interface AgentMatch {
  agent: AgentDefinition;
  /** Matched part of the User-Agent, in its original case. */
  matchedText: string;
  /** Offset of `matchedText` in UTF-16 code units. */
  start: number;
}

const createMatchCache = () => createUserAgentCache<{ match: AgentMatch | null }>(10_000, 200);

interface CompiledPattern {
  agent: AgentDefinition;
  /** Literal form of the pattern, or `null` if the regular expression is required. */
  plain: PlainPattern | null;
  expression: RegExp;
  /** Fixed rank, or `null` to rank matches by length. */
  rank: number | null;
  maxRank: number;
  excludedPrefixes: readonly string[];
  /**
   * Whether matches inside words, contact addresses and app names are accepted. Always true for patterns that aren't
   * portable.
   */
  isLoose: boolean;
}

/**
 * Returns a pattern's fixed rank, or `null` if its matches are ranked by length. Generic agents and fallback patterns
 * rank below the shortest allowed literal.
 */
export function getFixedRank(agent: AgentDefinition, pattern: string): number | null {
  if (agent.fallback_patterns?.includes(pattern)) return 2;
  if (!agent.generic) return null;
  return agent.framework ? 2 : 1;
}

/**
 * Finds the agent named in a User-Agent. The highest-ranked match wins. Ties go to the leftmost match, then to the
 * agent listed first. Empty matches are ignored. So are matches inside words, contact addresses, device models and
 * names of end-user apps, unless the pattern is one of the agent's `loose_patterns`.
 *
 * An Aho-Corasick automaton finds all literals that patterns require in one pass. Purely literal patterns are matched
 * in the same pass. For all other candidates, the regular expression runs afterwards. Patterns without a required
 * literal run on every search, as do patterns from earlier releases whose syntax is no longer supported.
 */
export class AgentMatcher {
  private readonly patterns: CompiledPattern[] = [];
  private readonly automaton: LiteralAutomaton;
  /** Indices of the patterns that require each literal, by literal index. */
  private readonly patternsOfLiteral: number[][] = [];
  /** Indices of patterns without a required literal. */
  private readonly unfiltered: number[] = [];
  /** For each pattern, the number of the last search that queued it. */
  private readonly lastQueuedSearches: Uint32Array;
  private searchCount = 0;
  /** Created on first use, because it costs more than a small matcher. */
  private matchCache: ReturnType<typeof createMatchCache> | null = null;

  /** @throws {SyntaxError} if a pattern doesn't compile. */
  constructor(agents: readonly AgentDefinition[]) {
    const literals = new Map<string, number>();
    for (const agent of agents) for (const source of agent.user_agent_patterns) this.add(agent, source, literals);
    this.automaton = buildAutomaton([...literals.keys()]);
    this.lastQueuedSearches = new Uint32Array(this.patterns.length);
  }

  /** Patterns without a required literal. Each of them slows down every search. */
  get unfilteredPatterns(): string[] {
    return this.unfiltered.map((index) => this.patterns[index]!.expression.source);
  }

  private add(agent: AgentDefinition, source: string, literals: Map<string, number>): void {
    const { plain, isPortable, literals: required, longest } = compileSource(source);
    const index = this.patterns.length;
    const rank = getFixedRank(agent, source);
    this.patterns.push({
      agent,
      plain,
      expression: new RegExp(source, 'gi'),
      rank,
      maxRank: rank ?? longest,
      excludedPrefixes: (agent.excluded_prefixes ?? []).map((prefix) => prefix.toLowerCase()),
      isLoose: !isPortable || (agent.loose_patterns?.includes(source) ?? false),
    });
    if (required.length === 0) this.unfiltered.push(index);
    for (const literal of required) {
      const literalIndex = literals.get(literal) ?? literals.size;
      literals.set(literal, literalIndex);
      (this.patternsOfLiteral[literalIndex] ??= []).push(index);
    }
  }

  /** Returns the best match, or `null` if no pattern matches. Truncates long User-Agents and caches results. */
  match(userAgent: string): AgentMatch | null {
    const text = truncateUserAgent(userAgent);
    const cache = (this.matchCache ??= createMatchCache());
    const cached = cache.get(text);
    if (cached !== undefined) return cached.match;
    const match = this.find(text);
    cache.set(text, { match });
    return match;
  }

  /** Like {@link match}, but without the cache and the length limit. Runs in linear time. */
  find(text: string): AgentMatch | null {
    const search = new Search(text);
    this.run(search);
    if (search.rank === 0) return null;
    // Unless its pattern is loose, a match in a device model or in the name of an end-user app doesn't count. Such
    // matches are rare, so the first search only checks its best match. If necessary, a second search rejects them all.
    if (!this.patterns[search.pattern]!.isLoose && search.isBestPersonal()) {
      search.restart();
      this.run(search);
      if (search.rank === 0) return null;
    }
    const { agent } = this.patterns[search.pattern]!;
    return { agent, matchedText: text.slice(search.start, search.start + search.length), start: search.start };
  }

  /**
   * Returns all agents with a matching pattern, in catalog order. `inProse` includes agents that are only mentioned in
   * a sentence.
   */
  findAll(text: string, { inProse = false } = {}): AgentDefinition[] {
    const { transitions, shift, classes, firstOutput, outputs } = this.automaton;
    const candidates = new Set(this.unfiltered);
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
    return [...new Set(matching.filter((pattern) => search.findFirst(pattern) !== null).map(({ agent }) => agent))];
  }

  private run(search: Search): void {
    for (const index of this.scan(search)) this.runExpression(index, search);
    for (const index of this.unfiltered) this.runExpression(index, search);
  }

  /** Matches literal patterns. Returns the indices of all other candidates, without duplicates. */
  private scan(search: Search): number[] {
    const { transitions, shift, classes, firstOutput } = this.automaton;
    const { text } = search;
    const queue: number[] = [];
    this.searchCount = (this.searchCount + 1) >>> 0 || 1;
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      state = code < 128 ? transitions[(state << shift) | classes[code]!]! : 0;
      if (state >= firstOutput) this.processOutputs(state, index + 1, search, queue);
    }
    return queue;
  }

  private processOutputs(state: number, end: number, search: Search, queue: number[]): void {
    for (const literal of this.automaton.outputs[state - this.automaton.firstOutput]!) {
      for (const index of this.patternsOfLiteral[literal]!) {
        const pattern = this.patterns[index]!;
        const { plain } = pattern;
        if (plain === null) {
          if (this.lastQueuedSearches[index] !== this.searchCount) queue.push(index);
          this.lastQueuedSearches[index] = this.searchCount;
        } else {
          const { length } = plain.text;
          const start = end - length;
          const rank = pattern.rank ?? length;
          if (!search.isBeatenBy(rank, start, index) || !matchesEdges(plain, search.text, start, end)) continue;
          if (search.isAcceptable(pattern, start, end)) search.setBest(rank, start, index, length);
        }
      }
    }
  }

  private runExpression(index: number, search: Search): void {
    const pattern = this.patterns[index]!;
    if (pattern.maxRank < search.rank) return;
    const match = search.findFirst(pattern);
    if (match === null) return;
    const { length } = match[0];
    const rank = pattern.rank ?? length;
    if (search.isBeatenBy(rank, match.index, index)) search.setBest(rank, match.index, index, length);
  }
}

interface CompiledSource extends Pick<CompiledPattern, 'plain'>, Pick<PatternAnalysis, 'literals' | 'longest'> {
  /** Whether `pattern.ts` supports the syntax of the pattern. */
  isPortable: boolean;
}

function compileSource(source: string): CompiledSource {
  const text = parsePlainText(source);
  if (text !== null) return { plain: text, isPortable: true, literals: [text.text], longest: text.text.length };
  const tree = parsePattern(source);
  if (tree === null) return { plain: null, isPortable: false, literals: [], longest: Infinity };
  const plain = toPlainPattern(tree);
  const { literals, longest } = analyzePattern(tree);
  return { plain, isPortable: true, literals: plain === null ? literals : [plain.text], longest };
}

class Search {
  rank = 0;
  length = 0;
  start = 0;
  pattern = 0;
  private rejectsPersonal = false;
  private positions: NamePositions | null = null;

  constructor(
    readonly text: string,
    private readonly acceptsProse = false,
  ) {}

  /**
   * Prepares for a second search, which rejects matches in device models and end-user app names. Discards the best
   * match.
   */
  restart(): void {
    this.rank = 0;
    this.rejectsPersonal = true;
  }

  isBeatenBy(rank: number, start: number, pattern: number): boolean {
    if (rank !== this.rank) return rank > this.rank;
    return start === this.start ? pattern < this.pattern : start < this.start;
  }

  setBest(rank: number, start: number, pattern: number, length: number): void {
    this.rank = rank;
    this.start = start;
    this.pattern = pattern;
    this.length = length;
  }

  /** Returns true if the best match is in a device model or an end-user app name. */
  isBestPersonal(): boolean {
    return this.positions?.isPersonal(this.start, this.start + this.length) ?? false;
  }

  /** Returns the first non-empty match that could name the sender, or `null`. */
  findFirst(pattern: CompiledPattern): RegExpExecArray | null {
    const { expression } = pattern;
    expression.lastIndex = 0;
    let match = expression.exec(this.text);
    while (
      match !== null &&
      match[0] !== '' &&
      !this.isAcceptable(pattern, match.index, match.index + match[0].length)
    ) {
      expression.lastIndex = match.index + 1;
      match = expression.exec(this.text);
    }
    return match?.[0] ? match : null;
  }

  /** Returns true if a match at this position could name the sender. */
  isAcceptable(pattern: CompiledPattern, start: number, end: number): boolean {
    if (this.isExcluded(pattern, start)) return false;
    if (pattern.isLoose) return true;
    this.positions ??= new NamePositions(this.text);
    if (!this.positions.isName(start, end)) return false;
    if (pattern.rank === null && !this.acceptsProse && this.positions.isProse(start, end)) return false;
    return !(this.rejectsPersonal && this.positions.isPersonal(start, end));
  }

  private isExcluded({ excludedPrefixes }: CompiledPattern, start: number): boolean {
    if (excludedPrefixes.length === 0) return false;
    return excludedPrefixes.some(
      (prefix) => this.text.slice(Math.max(0, start - prefix.length), start).toLowerCase() === prefix,
    );
  }
}
