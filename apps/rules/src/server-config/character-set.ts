import type { CharacterSet } from '#libs/agents';

/**
 * What servers' expressions are written in: `pcre` matches bytes (nginx, Apache, HAProxy), `re2` characters (Caddy).
 * Both ignore case.
 */
export type Dialect = 'pcre' | 're2';

/** A pattern that can't be said in the dialect. */
export class UntranslatableError extends Error {}

/** Written as they are; all others as `\xHH`, so that no server finds quotes, variables, comments or blocks in them. */
const HARMLESS = /[A-Za-z0-9 _.,:/@~=&!;<>-]/;
const OPERATORS = /[.+*?()[\]|^]/;
const HARMLESS_IN_CLASS = /[A-Za-z0-9 _.,:/@~=&!;<>()*+?|]/;
const SHORTHANDS = new Map(['\\d', '\\w', '\\s'].map((text) => [codesIn(new RegExp(text)).join(), text]));
/** What begins and what goes on with a character past ASCII, in UTF-8. */
const CHARACTER_PAST_ASCII = '[\\xC2-\\xF4][\\x80-\\xBF]+';

/**
 * An expression for one character of the set. Headers are taken for UTF-8. Spaces past ASCII are not told apart from
 * other characters past ASCII.
 *
 * @param isRepeated it stands before a quantifier: where every character past ASCII fits, bytes are counted then.
 * @throws {UntranslatableError} when nothing fits, or a half of a surrogate pair.
 */
export function characterText(set: CharacterSet, dialect: Dialect, isRepeated: boolean): string {
  const codes = [...set.codes].toSorted((one, other) => one - other);
  const pastAscii = set.others ? pastAsciiIn(set.source) : { includesMost: false, exceptions: [] };
  const exceptions = pastAscii.exceptions.filter((unit) => !isSurrogate(unit) && !isSpace(unit));
  if (pastAscii.includesMost) return allBut(missing(codes), exceptions, set.source, dialect, isRepeated);
  if (exceptions.length > 0 && dialect === 're2') return `[${asciiRanges(codes)}${characterRanges(exceptions)}]`;
  const ascii = codes.length === 0 ? [] : [asciiText(codes, set.source)];
  const texts = exceptions.length === 0 ? ascii : [...ascii, bytesText(exceptions)];
  if (texts.length === 0) throw new UntranslatableError('no character fits');
  return exceptions.length === 0 ? texts[0]! : `(?:${texts.join('|')})`;
}

/** An expression for a character past U+FFFF, which in a pattern is two. */
export function astralText(character: string, dialect: Dialect): string {
  const code = character.codePointAt(0)!;
  return dialect === 're2' ? codePoint(code) : `(?:${bytesText([code])})`;
}

function allBut(codes: number[], exceptions: number[], source: string, dialect: Dialect, isRepeated: boolean): string {
  // Headers hold no line ends.
  if (source === '.' && (dialect === 're2' || isRepeated)) return '.';
  if (dialect === 're2') {
    return codes.length + exceptions.length === 0 ? '(?s:.)' : `[^${asciiRanges(codes)}${characterRanges(exceptions)}]`;
  }
  const byte = source === '.' ? '.' : codes.length === 0 ? '[\\x00-\\xFF]' : `[^${asciiRanges(codes)}]`;
  if (exceptions.length === 0) return isRepeated ? byte : `(?>${CHARACTER_PAST_ASCII}|${byte})`;
  return `(?:(?!${bytesText(exceptions)})(?>${CHARACTER_PAST_ASCII}|${byte}))`;
}

function asciiText(codes: number[], source: string): string {
  if (codes.length > 1) return SHORTHANDS.get(codes.join()) ?? `[${asciiRanges(codes)}]`;
  // The pattern's own case is easier to read.
  const character = source.length === 1 ? source : String.fromCharCode(codes[0]!);
  if (HARMLESS.test(character) && character !== '.') return character;
  return OPERATORS.test(character) ? `\\${character}` : hexadecimal(codes[0]!);
}

function asciiRanges(codes: number[]): string {
  const text = (code: number): string => {
    const character = String.fromCharCode(code);
    return HARMLESS_IN_CLASS.test(character) ? character : hexadecimal(code);
  };
  return rangesOf(codes)
    .map(([first, last]) =>
      last - first < 2 ? codesBetween(first, last).map(text).join('') : `${text(first)}-${text(last)}`,
    )
    .join('');
}

const characterRanges = (units: number[]): string =>
  rangesOf(units)
    .map(([first, last]) => (first === last ? codePoint(first) : `${codePoint(first)}-${codePoint(last)}`))
    .join('');

const hexadecimal = (code: number): string => `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
const codePoint = (code: number): string => `\\x{${code.toString(16).toUpperCase()}}`;

/** ASCII codes that are not among these, upper-case letters left out as in a set. */
function missing(codes: number[]): number[] {
  const there = new Set(codes);
  return codesBetween(0, 127).filter((code) => !there.has(code) && !(code >= 0x41 && code <= 0x5a));
}

function codesIn(expression: RegExp): number[] {
  return missing([]).filter((code) => expression.test(String.fromCharCode(code)));
}

interface PastAscii {
  /** More than half of the characters fit; those that don't are the exceptions. Else those that do are. */
  includesMost: boolean;
  exceptions: number[];
}

const known = new Map<string, PastAscii>();

/** Which UTF-16 code units past ASCII an expression for one character matches, as the engine sees it. */
function pastAsciiIn(source: string): PastAscii {
  let found = known.get(source);
  if (found === undefined) {
    const expression = new RegExp(`^(?:${source})$`, 'i');
    const [fitting, others]: [number[], number[]] = [[], []];
    for (let unit = 0x80; unit <= 0xffff; unit++) {
      (expression.test(String.fromCharCode(unit)) ? fitting : others).push(unit);
    }
    const includesMost = fitting.length > others.length;
    found = { includesMost, exceptions: includesMost ? others : fitting };
    if (!includesMost && fitting.some(isSurrogate)) throw new UntranslatableError('a half of a surrogate pair');
    // Operators can write any class; only so many are worth keeping.
    if (known.size > 1_000) known.clear();
    known.set(source, found);
  }
  return found;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isSpace(unit: number): boolean {
  return /\s/.test(String.fromCharCode(unit));
}

/** An expression for the UTF-8 bytes of any of the code points; characters with equal ends share them. */
function bytesText(codePoints: number[]): string {
  return byteSequences(codePoints.map((code) => [...Buffer.from(String.fromCodePoint(code))]));
}

function byteSequences(sequences: number[][]): string {
  const rests = new Map<number, number[][]>();
  for (const [first, ...rest] of sequences) rests.set(first!, [...(rests.get(first!) ?? []), rest]);
  const firstsOfRest = new Map<string, number[]>();
  for (const [first, ofFirst] of rests) {
    const rest = ofFirst[0]!.length === 0 ? '' : byteSequences(ofFirst);
    firstsOfRest.set(rest, [...(firstsOfRest.get(rest) ?? []), first]);
  }
  const texts = [...firstsOfRest].map(([rest, firsts]) => {
    const ranges = rangesOf(firsts).map(([first, last]) =>
      first === last ? hexadecimal(first) : `${hexadecimal(first)}-${hexadecimal(last)}`,
    );
    return (firsts.length === 1 ? ranges[0]! : `[${ranges.join('')}]`) + (rest.includes('|') ? `(?:${rest})` : rest);
  });
  return texts.join('|');
}

function rangesOf(ascending: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const code of ascending) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}

function codesBetween(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
