import { MIN_LITERAL_LENGTH } from './pattern-literals.js';
import type { PatternNode } from './pattern.js';

/** Literal between optional assertions. Can be matched without running a regular expression. */
export interface PlainPattern {
  /** Literal text in lowercase ASCII. */
  text: string;
  before: Edge[];
  after: Edge[];
}

type Edge = Extract<PatternNode, { kind: 'edge' }>['at'];

const LITERAL_TEXT = /^[\w /-]+$/;

/**
 * Like {@link toPlainPattern}, but for the source of a pattern without metacharacters. Most patterns have none, so they
 * don't need to be parsed. Returns null for any other source.
 */
export function parsePlainText(source: string): PlainPattern | null {
  if (source.length < MIN_LITERAL_LENGTH || !LITERAL_TEXT.test(source)) return null;
  return { text: source.toLowerCase(), before: [], after: [] };
}

/** Converts patterns such as `\bText\b`. Returns null for any other pattern. */
export function toPlainPattern(pattern: PatternNode): PlainPattern | null {
  if (pattern.kind !== 'sequence') return null;
  const plain: PlainPattern = { text: '', before: [], after: [] };
  for (const part of pattern.parts) {
    if (part.kind === 'edge') (plain.text === '' ? plain.before : plain.after).push(part.at);
    else if (part.kind === 'set' && part.codes.size === 1 && !part.others && plain.after.length === 0) {
      plain.text += String.fromCharCode([...part.codes][0]!);
    } else return null;
  }
  return plain.text.length < MIN_LITERAL_LENGTH ? null : plain;
}

/** Returns true if all assertions hold for a match from `start` to `end`. */
export function matchesEdges(plain: PlainPattern, text: string, start: number, end: number): boolean {
  for (const edge of plain.before) if (!matchesEdge(edge, text, start)) return false;
  for (const edge of plain.after) if (!matchesEdge(edge, text, end)) return false;
  return true;
}

function matchesEdge(edge: Edge, text: string, position: number): boolean {
  if (edge === 'start') return position === 0;
  if (edge === 'end') return position === text.length;
  const atWordEdge = isWordCharacter(text, position - 1) !== isWordCharacter(text, position);
  return atWordEdge === (edge === 'word');
}

function isWordCharacter(text: string, position: number): boolean {
  const code = position < 0 ? -1 : text.charCodeAt(position);
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
  );
}
