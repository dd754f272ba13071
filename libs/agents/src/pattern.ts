/**
 * Syntax tree of a user-agent pattern.
 *
 * Patterns ignore case and use a subset of regular expressions: printable ASCII, `.`, classes, `\d`, `\w`, `^`, `$`,
 * `\b`, `\B`, `|`, `(?:…)` and repetitions. The engines of web servers agree on this subset, but not on other
 * constructs.
 */
export type PatternNode =
  | CharacterSet
  | { kind: 'edge'; at: 'start' | 'end' | 'word' | 'inside' }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | Repetition;

export interface CharacterSet {
  kind: 'set';
  /** Matching ASCII codes, with uppercase letters as lowercase. */
  codes: ReadonlySet<number>;
  others: boolean;
  source: string;
}

export interface Repetition {
  kind: 'repeat';
  part: PatternNode;
  least: number;
  most: number;
  /** Source text in the pattern, and its position, starting at 1. */
  source: string;
  position: number;
}

/** Thrown for patterns outside the subset. The message names the construct, its position and an alternative. */
export class PatternError extends Error {}

/** Parses a pattern. Returns null if it's outside the subset. */
export function parsePattern(source: string): PatternNode | null {
  try {
    return readPattern(source);
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}

/**
 * Parses a pattern.
 *
 * @throws {PatternError} if it's outside the subset.
 */
export function readPattern(source: string): PatternNode {
  return new Parser(source).pattern();
}

/** Limit of Go's `regexp` package. */
const MAX_REPETITIONS = 1_000;

/** Maximum nesting depth of groups, which protects the stack. */
const MAX_NESTED_GROUPS = 20;

const DIGITS = codesOf(/\d/);
const WORD = codesOf(/\w/);
const NOT_UPPER_CASE = codesOf(/[^A-Z]/);

type Refused = readonly [start: RegExp, name: string, remedy: string];

/** Rejected constructs. The first match provides the message. */
const REFUSED_GROUPS: readonly Refused[] = [
  [/\(\?=/y, 'a look-ahead', 'write the text itself; where named agents are to win over it, set generic to true'],
  [/\(\?!/y, 'a look-ahead', 'write what may follow, such as (?:[^3]|$)'],
  [/\(\?<[=!]/y, 'a look-behind', 'leave it out and list the texts that must not come before in excluded_prefixes'],
  [/\((?:\?<\w*>)?/y, 'a capturing group', 'write (?: instead'],
  [/\[\^?\]/y, 'an empty class', 'list its characters, or write . for any character'],
];
const REFUSED_CHARACTERS: readonly Refused[] = [
  [/\\(?:[1-9]\d*|k)/y, 'a back-reference', 'write the text again'],
  [/\\s/y, 'a class of spaces', 'write a space'],
  [/\\D/y, 'a class', 'write [^\\d]'],
  [/\\W/y, 'a class', 'write [^\\w]'],
  [/\\S/y, 'a class', 'write [^ ]'],
  [/\\[A-Za-z0-9]/y, 'an escape', 'write the character itself, or . for any character'],
  [/[^\x20-\x7e]/uy, 'a character outside printable ASCII', 'write . for it'],
  [/\\(?:[^\x20-\x7e]|$)/uy, 'a backslash without a character to escape', 'write \\\\ for the backslash itself'],
];

class Parser {
  private position = 0;
  private openGroups = 0;

  constructor(private readonly source: string) {}

  pattern(): PatternNode {
    const node = this.choice();
    if (this.position < this.source.length) this.refuse('a closing parenthesis without an opening one', 'write \\)');
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.position < this.source.length && !this.sees('|') && !this.sees(')')) parts.push(this.quantified());
    return { kind: 'sequence', parts };
  }

  private quantified(): PatternNode {
    const start = this.position;
    const part = this.atom();
    const at = this.position;
    const [least, most] = this.quantifier() ?? [];
    if (least === undefined || most === undefined) return part;
    if (part.kind === 'edge') this.refuse('a repetition of an edge', 'leave it out', at);
    if (least > most) this.refuse('a repetition whose bounds are the wrong way round', 'swap them', at);
    if (least > MAX_REPETITIONS || (most > MAX_REPETITIONS && most !== Infinity)) {
      this.refuse('a repetition', `repeat at most ${MAX_REPETITIONS.toLocaleString('en')} times`, at);
    }
    if (this.quantifier(this.position) !== null) this.refuse('a second repetition', 'leave it out');
    return {
      kind: 'repeat',
      part,
      least,
      most,
      source: this.source.slice(start, this.position),
      position: start + 1,
    };
  }

  /** @param until Position to continue from. Default: the end of the quantifier. */
  private quantifier(until?: number): [number, number] | null {
    const match = this.takeMatch(/([*+?])|\{(\d+)(,(\d*))?\}/y);
    if (until !== undefined) this.position = until;
    if (match === null) return null;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined) return sign === '*' ? [0, Infinity] : sign === '+' ? [1, Infinity] : [0, 1];
    return [Number(least), comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
  }

  private atom(): PatternNode {
    if (this.take('^')) return { kind: 'edge', at: 'start' };
    if (this.take('$')) return { kind: 'edge', at: 'end' };
    if (this.take('\\b')) return { kind: 'edge', at: 'word' };
    if (this.take('\\B')) return { kind: 'edge', at: 'inside' };
    if (this.take('.')) return setOf('.', [], true);
    if (this.sees('(?:')) return this.group();
    if (this.sees('(') || this.sees('[')) this.refuseAny(REFUSED_GROUPS);
    if (this.sees('[')) return this.characterClass();
    const start = this.position;
    if (/[*+?{}\]]/.test(this.source[start]!)) {
      this.refuse('a character with a meaning of its own', `write \\${this.source[start]}`);
    }
    const codes = this.member();
    return setOf(this.source.slice(start, this.position), codes, false);
  }

  private group(): PatternNode {
    const start = this.position;
    this.take('(?:');
    this.openGroups += 1;
    if (this.openGroups > MAX_NESTED_GROUPS) {
      this.refuse('a group too deep', `nest at most ${MAX_NESTED_GROUPS} groups`, start);
    }
    const part = this.choice();
    this.openGroups -= 1;
    if (!this.take(')')) this.refuse('a group without its end', 'close it with )', start, '(?:');
    return part;
  }

  private characterClass(): CharacterSet {
    const start = this.position;
    this.take('[');
    const isNegated = this.take('^');
    const codes: number[] = [];
    while (!this.take(']')) {
      if (this.position >= this.source.length) this.refuse('a class without its end', 'close it with ]', start, '[');
      if (this.sees('[')) this.refuse('a bracket within a class', 'write \\[');
      const from = this.position;
      const first = this.member();
      if (!this.sees('-') || this.source[this.position + 1] === ']') {
        codes.push(...first);
        continue;
      }
      this.take('-');
      const last = this.position < this.source.length ? this.member() : first;
      if (first.length > 1 || last.length > 1) this.refuse('a range of classes', 'write \\- for a hyphen', from);
      if (first[0]! > last[0]!) this.refuse('a range that ends before it starts', 'swap its ends', from);
      for (let code = first[0]!; code <= last[0]!; code++) codes.push(code);
    }
    return setOf(this.source.slice(start, this.position), codes, isNegated);
  }

  /** Reads a character, an escaped character, `\d` or `\w`, inside or outside a class. Returns its codes. */
  private member(): readonly number[] {
    if (this.take('\\d')) return DIGITS;
    if (this.take('\\w')) return WORD;
    if (!/[ -[\]-~]/.test(this.source[this.position]!)) this.refuseAny(REFUSED_CHARACTERS);
    this.take('\\');
    return [this.source.charCodeAt(this.position++)];
  }

  private refuseAny(refused: readonly Refused[]): void {
    for (const [start, name, remedy] of refused) {
      start.lastIndex = this.position;
      const found = start.exec(this.source);
      if (found !== null) this.refuse(name, remedy, this.position, found[0]);
    }
  }

  /** @param text Rejected text. Default: everything from `at` to the current position, but at least one character. */
  private refuse(name: string, remedy: string, at = this.position, text?: string): never {
    const found = text ?? this.source.slice(at, Math.max(this.position, at + 1));
    throw new PatternError(`has ${name} "${found}" at position ${at + 1}: ${remedy}`);
  }

  private sees(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  private take(text: string): boolean {
    const seen = this.sees(text);
    if (seen) this.position += text.length;
    return seen;
  }

  private takeMatch(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.position;
    const match = sticky.exec(this.source);
    if (match !== null) this.position += match[0].length;
    return match;
  }
}

/** @param isNegated True to match every other ASCII character and every non-ASCII character. */
function setOf(source: string, codes: readonly number[], isNegated: boolean): CharacterSet {
  const lower = new Set(codes.map((code) => String.fromCharCode(code).toLowerCase().charCodeAt(0)));
  if (!isNegated) return { kind: 'set', codes: lower, others: false, source };
  return { kind: 'set', codes: new Set(NOT_UPPER_CASE.filter((code) => !lower.has(code))), others: true, source };
}

function codesOf(expression: RegExp): number[] {
  return Array.from({ length: 128 }, (_, code) => code).filter((code) => expression.test(String.fromCharCode(code)));
}
