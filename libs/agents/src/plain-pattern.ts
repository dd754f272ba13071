import { SHORTEST_LITERAL } from './pattern-literals.js';
import type { PatternNode } from './pattern.js';

/** A pattern that is nothing but a text between edges; it can be checked without running an expression. */
export interface PlainPattern {
  /** Lower-case ASCII. */
  text: string;
  before: Edge[];
  after: Edge[];
}

type Edge = Extract<PatternNode, { kind: 'edge' }>['at'];

/** Characters that stand for themselves. */
const TEXT = /^[\w /-]+$/;

/** As {@link plainPattern}, of a pattern that is a text without more, which need not be parsed; most are such. */
export function plainText(source: string): PlainPattern | null {
  if (source.length < SHORTEST_LITERAL || !TEXT.test(source)) return null;
  return { text: source.toLowerCase(), before: [], after: [] };
}

/** Recognizes `\bText\b`; `null` for any other. */
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

/** Whether the edges are where the text was found, from `start` to `end` of the input. */
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

/** As `\w`: ASCII letters, digits and the underscore. */
function isWord(text: string, position: number): boolean {
  const code = position < 0 ? -1 : text.charCodeAt(position);
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
  );
}
