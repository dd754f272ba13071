/**
 * The syntax tree of an ECMAScript regular expression under the flag `i`, as far as user-agent patterns go. It serves
 * analysis only (required literals, linearity, samples); the expressions themselves are run by the engine.
 */
export type PatternNode =
  | {
      kind: 'set';
      /** ASCII codes matched, upper-case letters as lower-case. */
      codes: ReadonlySet<number>;
      others: boolean;
      /** The part of the pattern that it was read from, an expression by itself. */
      source: string;
    }
  | { kind: 'edge'; at: 'start' | 'end' | 'word' | 'inside' }
  | { kind: 'sequence'; parts: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | { kind: 'repeat'; part: PatternNode; least: number; most: number }
  | { kind: 'look'; part: PatternNode; direction: 'ahead' | 'behind'; negative: boolean };

/** One character: `codes` of the ASCII ones, and whether characters past ASCII (or some of them) can match. */
export type CharacterSet = Extract<PatternNode, { kind: 'set' }>;

/** Parses a pattern; `null` where it uses what isn't analysed (back-references, `\p`, flags) or doesn't compile. */
export function parsePattern(source: string): PatternNode | null {
  try {
    void new RegExp(source, 'i');
    const parser = new Parser(source);
    return parser.pattern();
  } catch {
    return null;
  }
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f', '0': '\0' };
const CLASSES: Record<string, RegExp> = { d: /\d/, D: /\D/, w: /\w/, W: /\W/, s: /\s/, S: /\S/ };
const SPECIAL = new Set('\\^$.*+?()[]{}|');

function setOf(source: string, matches: (character: string) => boolean, others: boolean): CharacterSet {
  const codes = new Set<number>();
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    if (matches(character)) codes.add(character.toLowerCase().charCodeAt(0));
  }
  return { kind: 'set', codes, others, source };
}

class Parser {
  private position = 0;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  pattern(): PatternNode {
    const node = this.choice();
    if (this.position < this.source.length) throw new SyntaxError('unexpected )');
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.position < this.source.length && !this.sees('|') && !this.sees(')'))
      parts.push(this.quantified(this.atom()));
    return { kind: 'sequence', parts };
  }

  private quantified(part: PatternNode): PatternNode {
    const [least, most] = this.quantifier();
    if (least === 1 && most === 1) return part;
    this.take('?');
    return { kind: 'repeat', part, least, most };
  }

  private quantifier(): [number, number] {
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.take('?')) return [0, 1];
    const braces = this.takeMatch(/\{(\d+)(,(\d*))?\}/y);
    if (braces === null) return [1, 1];
    const least = Number(braces[1]);
    return [least, braces[2] === undefined ? least : braces[3] === '' ? Infinity : Number(braces[3])];
  }

  private atom(): PatternNode {
    if (this.take('^')) return { kind: 'edge', at: 'start' };
    if (this.take('$')) return { kind: 'edge', at: 'end' };
    if (this.take('\\b')) return { kind: 'edge', at: 'word' };
    if (this.take('\\B')) return { kind: 'edge', at: 'inside' };
    if (this.take('(')) return this.group();
    if (this.sees('[')) return this.characterClass();
    if (this.take('.')) return setOf('.', (character) => character !== '\n' && character !== '\r', true);
    if (this.take('\\')) return this.escape();
    const character = this.source[this.position++]!;
    if (SPECIAL.has(character)) throw new SyntaxError(`unexpected ${character}`);
    return this.literal(character, character);
  }

  private group(): PatternNode {
    const opening = this.takeMatch(/\?(?::|(<?)([=!])|<[A-Za-z_]\w*>)/y)?.slice(1);
    if (opening === undefined && this.sees('?')) throw new SyntaxError('unknown group');
    const part = this.choice();
    if (!this.take(')')) throw new SyntaxError('missing )');
    if (opening?.[1] === undefined) return part;
    return { kind: 'look', part, direction: opening[0] === '<' ? 'behind' : 'ahead', negative: opening[1] === '!' };
  }

  private escape(): PatternNode {
    const from = this.position - 1;
    const source = (): string => this.source.slice(from, this.position);
    const code = this.takeMatch(/x([0-9a-f]{2})|u([0-9a-f]{4})/iy);
    if (code !== null) return this.literal(String.fromCharCode(Number.parseInt(code[1] ?? code[2]!, 16)), source());
    const character = this.source[this.position++]!;
    const shorthand = CLASSES[character];
    if (shorthand !== undefined) return setOf(source(), (one) => shorthand.test(one), !/[dw]/.test(character));
    const control = ESCAPES[character];
    if (control !== undefined && !/\d/.test(this.source[this.position] ?? '')) return this.literal(control, source());
    if (/[A-Za-z0-9]/.test(character)) throw new SyntaxError(`unknown escape \\${character}`);
    return this.literal(character, source());
  }

  private characterClass(): PatternNode {
    const text = this.takeMatch(/\[(?:\\[^]|[^\\\]])*\]/y)![0];
    const matcher = new RegExp(text, 'i');
    // Without letters past ASCII in it a class holds either none of those characters or, negated, all of them.
    const others = text.startsWith('[^') || /\\[DWSsxu]|[^\0-\x7f]/.test(text);
    return setOf(text, (character) => matcher.test(character), others);
  }

  private literal(character: string, source: string): CharacterSet {
    const lower = character.toLowerCase().charCodeAt(0);
    return character.charCodeAt(0) < 128
      ? { kind: 'set', codes: new Set([lower]), others: false, source }
      : { kind: 'set', codes: new Set(), others: true, source };
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
