import { SHORTEST_LITERAL } from './pattern-literals.js';
import type { PatternNode } from './pattern.js';

/** Pattern that is a literal between assertions. It can be checked without running a regular expression. */
export interface PlainPattern {
  /** Lowercase ASCII. */
  text: string;
  before: Edge[];
  after: Edge[];
}

type Edge = Extract<PatternNode, { kind: 'edge' }>['at'];

const TEXT = /^[\w /-]+$/;

/**
 * Like {@link plainPattern}, but takes the source and only recognizes patterns without metacharacters. Most patterns
 * have none and so don't need to be parsed.
 */
export function plainText(source: string): PlainPattern | null {
  if (source.length < SHORTEST_LITERAL || !TEXT.test(source)) return null;
  return { text: source.toLowerCase(), before: [], after: [] };
}

/** Recognizes patterns such as `\bText\b`. Returns null for any other pattern. */
export function plainPattern(pattern: PatternNode): PlainPattern | null {
  if (pattern.kind !== 'sequence') return null;
  const plain: PlainPattern = { text: '', before: [], after: [] };
  for (const part of pattern.parts) {
    if (part.kind === 'edge') (plain.text === '' ? plain.before : plain.after).push(part.at);
    else if (part.kind === 'set' && part.codes.size === 1 && !part.others && plain.after.length === 0) {
      plain.text += String.fromCharCode([...part.codes][0]!);
    } else return null;
  }
  return plain.text.length < SHORTEST_LITERAL ? null : plain;
}

/** Returns whether the assertions hold for a match from `start` to `end` of the text. */
export function edgesHold(plain: PlainPattern, text: string, start: number, end: number): boolean {
  for (const edge of plain.before) if (!holds(edge, text, start)) return false;
  for (const edge of plain.after) if (!holds(edge, text, end)) return false;
  return true;
}

function holds(edge: Edge, text: string, position: number): boolean {
  if (edge === 'start') return position === 0;
  if (edge === 'end') return position === text.length;
  const atWordEdge = isWord(text, position - 1) !== isWord(text, position);
  return atWordEdge === (edge === 'word');
}

function isWord(text: string, position: number): boolean {
  const code = position < 0 ? -1 : text.charCodeAt(position);
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
  );
}
