import { needsOf, type CharacterSet, type PatternNode } from '#libs/agents';

type Look = Extract<PatternNode, { kind: 'look' }>;

/** Texts that a negative look-around may rule out before it is left as it is. */
const MAX_TEXTS = 64;

/**
 * A tree that matches in the same User-Agents, though not always the same part of them, with fewer look-arounds: at its
 * ends one may as well match what it looks at.
 *
 * @param spellsOut also rewrites negative ones at the ends that rule out some texts, as what else can stand there.
 */
export function withFewerLooks(tree: PatternNode, spellsOut: boolean): PatternNode {
  return rewrite(tree, true, true, spellsOut);
}

/** @param isFirst nothing comes before the node. @param isLast nothing comes after it. */
function rewrite(node: PatternNode, isFirst: boolean, isLast: boolean, spellsOut: boolean): PatternNode {
  if (node.kind === 'choice') {
    return { kind: 'choice', options: node.options.map((option) => rewrite(option, isFirst, isLast, spellsOut)) };
  }
  if (node.kind === 'look') return rewrite(sequence([node]), isFirst, isLast, spellsOut);
  if (node.kind !== 'sequence' || !(isFirst || isLast)) return node;
  let parts = flat(node.parts);
  if (isLast) parts = rewriteEnd(parts, spellsOut);
  if (isFirst) parts = rewriteStart(parts, spellsOut);
  parts = parts.map((part, index) => {
    const [first, last] = [isFirst && index === 0, isLast && index === parts.length - 1];
    return part.kind === 'choice' && (first || last) ? rewrite(part, first, last, spellsOut) : part;
  });
  return sequence(parts);
}

function rewriteEnd(parts: PatternNode[], spellsOut: boolean): PatternNode[] {
  // `(?=Text).` of generic agents: what it takes is a part of what it looks at.
  const dots = parts.length - 1 - parts.findLastIndex((part) => part.kind !== 'set' || part.source !== '.');
  const seen = parts[parts.length - 1 - dots];
  if (dots > 0 && isLook(seen, 'ahead', false) && needsOf(seen.part).shortest >= dots) {
    return rewriteEnd([...parts.slice(0, -1 - dots), seen], spellsOut);
  }
  const start = parts.findLastIndex((part) => !hasNoWidth(part)) + 1;
  const [before, end] = [parts.slice(0, start), parts.slice(start)];
  const positive = end.find((part) => isLook(part, 'ahead', false));
  if (positive !== undefined) {
    // It stands at the same place as those beside it, so it may come last.
    return flat([
      ...before,
      ...end.filter((part) => part !== positive),
      ...rewriteEnd(flat([positive.part]), spellsOut),
    ]);
  }
  const negative = end.filter((part) => isLook(part, 'ahead', true));
  const texts = spellsOut && negative.length > 0 ? textsOf(negative) : null;
  if (texts === null) return parts;
  const others = end.filter((part) => !isLook(part, 'ahead', true));
  return [...before, ...others, noneOf(texts, 'end')];
}

function rewriteStart(parts: PatternNode[], spellsOut: boolean): PatternNode[] {
  const end = parts.findIndex((part) => !hasNoWidth(part));
  const [start, after] = end === -1 ? [parts, []] : [parts.slice(0, end), parts.slice(end)];
  const positive = start.find((part) => isLook(part, 'behind', false));
  if (positive !== undefined) {
    return [...rewriteStart(flat([positive.part]), spellsOut), ...start.filter((part) => part !== positive), ...after];
  }
  const negative = start.filter((part) => isLook(part, 'behind', true));
  const texts = spellsOut && negative.length > 0 ? textsOf(negative) : null;
  if (texts === null) return parts;
  const others = start.filter((part) => !isLook(part, 'behind', true));
  return [
    noneOf(
      texts.map((text) => text.toReversed()),
      'start',
    ),
    ...others,
    ...after,
  ];
}

/**
 * What can stand where none of the texts does.
 *
 * @param texts lower-case ASCII codes, leading away from the place.
 */
function noneOf(texts: number[][], edge: 'start' | 'end'): PatternNode {
  const rests = new Map<number, number[][]>();
  for (const [code, ...rest] of texts) rests.set(code!, [...(rests.get(code!) ?? []), rest]);
  const options: PatternNode[] = [{ kind: 'edge', at: edge }, allBut([...rests.keys()])];
  for (const [code, ofCode] of rests) {
    if (ofCode.some((rest) => rest.length === 0)) continue;
    const parts = [setOf(code), noneOf(ofCode, edge)];
    options.push(sequence(edge === 'end' ? parts : parts.toReversed()));
  }
  return { kind: 'choice', options };
}

/** All texts that the looks rule out, as ASCII codes; `null` when they can't be listed, or are none at all. */
function textsOf(looks: Look[]): number[][] | null {
  const texts: number[][] = [];
  for (const { part } of looks) {
    const listed = listTexts(part);
    if (listed === null || listed.some((text) => text.length === 0)) return null;
    texts.push(...listed);
  }
  return texts.length > MAX_TEXTS ? null : texts;
}

function listTexts(node: PatternNode): number[][] | null {
  if (node.kind === 'set') return node.others ? null : [...node.codes].map((code) => [code]);
  if (node.kind === 'choice') {
    const options = node.options.map(listTexts);
    return options.includes(null) ? null : (options as number[][][]).flat();
  }
  if (node.kind !== 'sequence') return null;
  let texts: number[][] = [[]];
  for (const part of node.parts) {
    const next = listTexts(part);
    if (next === null || texts.length * next.length > MAX_TEXTS) return null;
    texts = texts.flatMap((head) => next.map((tail) => [...head, ...tail]));
  }
  return texts;
}

const hasNoWidth = (part: PatternNode): boolean => part.kind === 'edge' || part.kind === 'look';

function isLook(part: PatternNode | undefined, direction: Look['direction'], negative: boolean): part is Look {
  return part?.kind === 'look' && part.direction === direction && part.negative === negative;
}

const sequence = (parts: PatternNode[]): PatternNode => ({ kind: 'sequence', parts });

function flat(parts: readonly PatternNode[]): PatternNode[] {
  return parts.flatMap((part) => (part.kind === 'sequence' ? flat(part.parts) : [part]));
}

function setOf(code: number): CharacterSet {
  return { kind: 'set', codes: new Set([code]), others: false, source: classOf([code], '') };
}

function allBut(codes: number[]): CharacterSet {
  const excluded = new Set(codes);
  const all = Array.from({ length: 128 }, (_, code) => code);
  const included = all.filter((code) => !excluded.has(code) && !(code >= 0x41 && code <= 0x5a));
  return { kind: 'set', codes: new Set(included), others: true, source: classOf(codes, '^') };
}

const classOf = (codes: number[], negation: string): string =>
  `[${negation}${codes.map((code) => `\\x${code.toString(16).padStart(2, '0')}`).join('')}]`;
