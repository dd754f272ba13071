import type { AgentDefinition } from './agent.js';
import { buildAutomaton, type LiteralAutomaton } from './literal-automaton.js';
import { NamePositions } from './name-positions.js';
import { needsOf, type PatternNeeds } from './pattern-literals.js';
import { parsePattern } from './pattern.js';
import { edgesHold, plainPattern, plainText, type PlainPattern } from './plain-pattern.js';
import { boundedUserAgent, userAgentMemory } from './user-agent-memory.js';

/** What was found in a User-Agent. */
export interface AgentMatch {
  agent: AgentDefinition;
  /** The part of the User-Agent that named the agent, as sent. */
  matchedText: string;
  /** Its position, in UTF-16 code units. */
  start: number;
}

/** A remembered result costs half of a fresh search. */
const newMemory = () => userAgentMemory<{ match: AgentMatch | null }>(10_000, 200);

interface CompiledPattern {
  agent: AgentDefinition;
  /** `null`: `expression` has to be run. */
  plain: PlainPattern | null;
  expression: RegExp;
  /** What a match counts as, whatever its length; `null`: as its length. */
  rank: number | null;
  /** No match counts as more. */
  maxRank: number;
  /** In lower case. */
  excludedPrefixes: readonly string[];
  /** Matches count within words and contact addresses, and in apps, too; so do those of patterns that aren't portable. */
  isLoose: boolean;
}

/**
 * What a match of an agent's pattern counts as: `null` for its length, less than the shortest literal for generic agents
 * and for patterns of last resort.
 */
export function rankOf(agent: AgentDefinition, pattern: string): number | null {
  if (agent.fallback_patterns?.includes(pattern)) return 2;
  if (!agent.generic) return null;
  return agent.framework ? 2 : 1;
}

/**
 * Finds the agent that a User-Agent names. Of all patterns that match the one with the highest rank wins, then the one
 * further left, then the agent listed first. Matches of no text don't count, and neither do parts of words, names in
 * contact addresses, models of devices and names of people's apps, except for an agent's `loose_patterns`.
 *
 * Patterns require a literal, so one pass over the User-Agent tells which patterns can match at all. Most are nothing but
 * that literal and are settled in the same pass; expressions run for the few others. Patterns that an earlier release
 * took and that are no longer in the subset run every time.
 */
export class AgentMatcher {
  private readonly patterns: CompiledPattern[] = [];
  private readonly automaton: LiteralAutomaton;
  /** Literal → indices of the patterns that require it. */
  private readonly patternsOfLiteral: number[][] = [];
  /** Patterns that require no literal and are run every time. */
  private readonly unsieved: number[] = [];
  /** Which patterns have been queued in the current search, by its number. */
  private readonly queuedIn: Uint32Array;
  private searches = 0;
  /** Made when it is first needed: it takes longer than all else of a matcher of few agents. */
  private remembered: ReturnType<typeof newMemory> | null = null;

  /** @throws {SyntaxError} when a pattern doesn't compile */
  constructor(agents: readonly AgentDefinition[]) {
    const literals = new Map<string, number>();
    for (const agent of agents) for (const source of agent.user_agent_patterns) this.add(agent, source, literals);
    this.automaton = buildAutomaton([...literals.keys()]);
    this.queuedIn = new Uint32Array(this.patterns.length);
  }

  /** Sources of the patterns that no literal sieves; they cost time on every visit. */
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

  /** `null`: no agent, by its User-Agent. */
  match(userAgent: string): AgentMatch | null {
    const text = boundedUserAgent(userAgent);
    const remembered = (this.remembered ??= newMemory());
    const known = remembered.get(text);
    if (known !== undefined) return known.match;
    const match = this.find(text);
    remembered.set(text, { match });
    return match;
  }

  /** As {@link match}, but searches anew and takes the text whole. Takes time linear in the text's length. */
  find(text: string): AgentMatch | null {
    const search = new Search(text);
    this.run(search);
    if (search.rank === 0) return null;
    // Devices and apps rarely contain an agent's name, so only the winner is checked.
    if (!this.patterns[search.pattern]!.isLoose && search.isBestPersonal()) {
      search.restart();
      this.run(search);
      if (search.rank === 0) return null;
    }
    const { agent } = this.patterns[search.pattern]!;
    return { agent, matchedText: text.slice(search.start, search.start + search.length), start: search.start };
  }

  /**
   * Returns all agents with a pattern that matches in it, not only the winner; each once, in catalog order. With `inProse`,
   * also those that are only mentioned in a sentence.
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

  /** Settles plain patterns; returns the others whose literal occurs, each once. */
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
  /** The pattern is in the subset that `pattern.ts` reads. */
  isPortable: boolean;
}

/** What to look for before a pattern's expression runs, if it has to. */
function lookedFor(source: string): Sought {
  const text = plainText(source);
  if (text !== null) return { plain: text, isPortable: true, literals: [text.text], longest: text.text.length };
  const tree = parsePattern(source);
  if (tree === null) return { plain: null, isPortable: false, literals: [], longest: Infinity };
  const plain = plainPattern(tree);
  const { literals, longest } = needsOf(tree);
  return { plain, isPortable: true, literals: plain === null ? literals : [plain.text], longest };
}

/** A text, and the best match in it so far. */
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

  /** Forgets the best match. From now on, models of devices and names of people's apps don't count. */
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

  /** Whether the best match is a device's model or a person's app. */
  isBestPersonal(): boolean {
    return this.positions?.isPersonal(this.start, this.start + this.length) ?? false;
  }

  /** The first match of a pattern that counts. */
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

  /** Whether a match can name the sender, where it stands. */
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
