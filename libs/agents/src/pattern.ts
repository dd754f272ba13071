/**
 * Syntax tree of a user-agent pattern.
 *
 * Patterns are case-insensitive and use a subset of regular expressions: printable ASCII, `.`, classes, `\d`, `\w`, `^`,
 * `$`, `\b`, `\B`, `|`, `(?:…)` and repetitions. All web servers interpret this subset the same way, unlike other
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
  /** Matching ASCII codes. Letters are lowercase. */
  codes: ReadonlySet<number>;
  /** Whether all non-ASCII characters match. */
  others: boolean;
  source: string;
}

export interface Repetition {
  kind: 'repeat';
  part: PatternNode;
  least: number;
  most: number;
  /** Source text in the pattern. */
  source: string;
  /** 1-based position in the pattern. */
  position: number;
}

/** Thrown for unsupported syntax. The message contains the construct, its position and an alternative. */
export class PatternError extends Error {}

/** Like {@link parsePatternOrThrow}, but returns null for unsupported syntax. */
export function parsePattern(source: string): PatternNode | null {
  try {
    return parsePatternOrThrow(source);
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}

/** @throws {PatternError} if the pattern is invalid or uses unsupported syntax. */
export function parsePatternOrThrow(source: string): PatternNode {
  return new Parser(source).parse();
}

/** Same limit as in Go's `regexp` package. */
const MAX_REPETITIONS = 1_000;

/** Limits recursion in the parser. */
const MAX_NESTED_GROUPS = 20;

const DIGITS = findAsciiCodes(/\d/);
const WORD = findAsciiCodes(/\w/);
const NOT_UPPER_CASE = findAsciiCodes(/[^A-Z]/);

type RejectedConstruct = readonly [start: RegExp, name: string, remedy: string];

/** Unsupported constructs. The first match determines the error message. */
const REJECTED_GROUPS: readonly RejectedConstruct[] = [
  [/\(\?=/y, 'a look-ahead', 'write the text itself; if named agents must take precedence, set generic to true'],
  [/\(\?!/y, 'a look-ahead', 'write what may follow, such as (?:[^3]|$)'],
  [/\(\?<[=!]/y, 'a look-behind', 'remove it and list the prefixes in excluded_prefixes'],
  [/\((?:\?<\w*>)?/y, 'a capturing group', 'write (?: instead'],
  [/\[\^?\]/y, 'an empty class', 'list its characters, or write . for any character'],
];
const REJECTED_CHARACTERS: readonly RejectedConstruct[] = [
  [/\\(?:[1-9]\d*|k)/y, 'a back-reference', 'repeat the text'],
  [/\\s/y, 'a whitespace class', 'write a space'],
  [/\\D/y, 'a class', 'write [^\\d]'],
  [/\\W/y, 'a class', 'write [^\\w]'],
  [/\\S/y, 'a class', 'write [^ ]'],
  [/\\[A-Za-z0-9]/y, 'an escape', 'write the character itself, or . for any character'],
  [/[^\x20-\x7e]/uy, 'a character outside printable ASCII', 'write . for it'],
  [/\\(?:[^\x20-\x7e]|$)/uy, 'an incomplete escape', 'write \\\\ for a literal backslash'],
];

class Parser {
  private position = 0;
  private openGroups = 0;

  constructor(private readonly source: string) {}

  parse(): PatternNode {
    const node = this.parseChoice();
    if (this.position < this.source.length) this.reject('an unmatched closing parenthesis', 'write \\)');
    return node;
  }

  private parseChoice(): PatternNode {
    const options = [this.parseSequence()];
    while (this.skip('|')) options.push(this.parseSequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private parseSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.position < this.source.length && !this.isAt('|') && !this.isAt(')')) parts.push(this.parseQuantified());
    return { kind: 'sequence', parts };
  }

  private parseQuantified(): PatternNode {
    const start = this.position;
    const part = this.parseAtom();
    const at = this.position;
    const [least, most] = this.parseQuantifier() ?? [];
    if (least === undefined || most === undefined) return part;
    if (part.kind === 'edge') this.reject('a repeated anchor', 'remove it', at);
    if (least > most) this.reject('a repetition with reversed bounds', 'swap them', at);
    if (least > MAX_REPETITIONS || (most > MAX_REPETITIONS && most !== Infinity)) {
      this.reject('a repetition', `repeat at most ${MAX_REPETITIONS.toLocaleString('en')} times`, at);
    }
    if (this.parseQuantifier(this.position) !== null) this.reject('a second quantifier', 'remove it');
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
  private parseQuantifier(until?: number): [number, number] | null {
    const match = this.skipMatch(/([*+?])|\{(\d+)(,(\d*))?\}/y);
    if (until !== undefined) this.position = until;
    if (match === null) return null;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined) return sign === '*' ? [0, Infinity] : sign === '+' ? [1, Infinity] : [0, 1];
    return [Number(least), comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
  }

  private parseAtom(): PatternNode {
    if (this.skip('^')) return { kind: 'edge', at: 'start' };
    if (this.skip('$')) return { kind: 'edge', at: 'end' };
    if (this.skip('\\b')) return { kind: 'edge', at: 'word' };
    if (this.skip('\\B')) return { kind: 'edge', at: 'inside' };
    if (this.skip('.')) return createSet('.', [], true);
    if (this.isAt('(?:')) return this.parseGroup();
    if (this.isAt('(') || this.isAt('[')) this.rejectAny(REJECTED_GROUPS);
    if (this.isAt('[')) return this.parseClass();
    const start = this.position;
    if (/[*+?{}\]]/.test(this.source[start]!)) {
      this.reject('an unescaped special character', `write \\${this.source[start]}`);
    }
    const codes = this.parseClassMember();
    return createSet(this.source.slice(start, this.position), codes, false);
  }

  private parseGroup(): PatternNode {
    const start = this.position;
    this.skip('(?:');
    this.openGroups += 1;
    if (this.openGroups > MAX_NESTED_GROUPS) {
      this.reject('a group nested too deeply', `nest at most ${MAX_NESTED_GROUPS} groups`, start);
    }
    const part = this.parseChoice();
    this.openGroups -= 1;
    if (!this.skip(')')) this.reject('an unclosed group', 'close it with )', start, '(?:');
    return part;
  }

  private parseClass(): CharacterSet {
    const start = this.position;
    this.skip('[');
    const isNegated = this.skip('^');
    const codes: number[] = [];
    while (!this.skip(']')) {
      if (this.position >= this.source.length) this.reject('an unclosed class', 'close it with ]', start, '[');
      if (this.isAt('[')) this.reject('an unescaped bracket in a class', 'write \\[');
      const from = this.position;
      const first = this.parseClassMember();
      if (!this.isAt('-') || this.source[this.position + 1] === ']') {
        codes.push(...first);
        continue;
      }
      this.skip('-');
      const last = this.position < this.source.length ? this.parseClassMember() : first;
      if (first.length > 1 || last.length > 1)
        this.reject('a range between classes', 'write \\- for a literal hyphen', from);
      if (first[0]! > last[0]!) this.reject('a reversed range', 'swap its ends', from);
      for (let code = first[0]!; code <= last[0]!; code++) codes.push(code);
    }
    return createSet(this.source.slice(start, this.position), codes, isNegated);
  }

  /** Parses a plain or escaped character, `\d` or `\w`, inside or outside of a class. Returns the matching codes. */
  private parseClassMember(): readonly number[] {
    if (this.skip('\\d')) return DIGITS;
    if (this.skip('\\w')) return WORD;
    if (!/[ -[\]-~]/.test(this.source[this.position]!)) this.rejectAny(REJECTED_CHARACTERS);
    this.skip('\\');
    return [this.source.charCodeAt(this.position++)];
  }

  private rejectAny(constructs: readonly RejectedConstruct[]): void {
    for (const [start, name, remedy] of constructs) {
      start.lastIndex = this.position;
      const found = start.exec(this.source);
      if (found !== null) this.reject(name, remedy, this.position, found[0]);
    }
  }

  /** @param text Rejected text. Default: the text from `at` to the current position, but at least one character. */
  private reject(name: string, remedy: string, at = this.position, text?: string): never {
    const found = text ?? this.source.slice(at, Math.max(this.position, at + 1));
    throw new PatternError(`has ${name} "${found}" at position ${at + 1}: ${remedy}`);
  }

  private isAt(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  private skip(text: string): boolean {
    const isFound = this.isAt(text);
    if (isFound) this.position += text.length;
    return isFound;
  }

  private skipMatch(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.position;
    const match = sticky.exec(this.source);
    if (match !== null) this.position += match[0].length;
    return match;
  }
}

/** @param isNegated Whether to match all other ASCII characters and all non-ASCII characters instead. */
function createSet(source: string, codes: readonly number[], isNegated: boolean): CharacterSet {
  const lower = new Set(codes.map((code) => String.fromCharCode(code).toLowerCase().charCodeAt(0)));
  if (!isNegated) return { kind: 'set', codes: lower, others: false, source };
  return { kind: 'set', codes: new Set(NOT_UPPER_CASE.filter((code) => !lower.has(code))), others: true, source };
}

function findAsciiCodes(expression: RegExp): number[] {
  return Array.from({ length: 128 }, (_, code) => code).filter((code) => expression.test(String.fromCharCode(code)));
}
