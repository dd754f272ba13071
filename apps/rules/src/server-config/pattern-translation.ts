import { MAX_USER_AGENT_CHARACTERS, needsOf, type PatternNode } from '#libs/agents';
import { astralText, characterText, UntranslatableError, type Dialect } from './character-set.js';
import { withFewerLooks } from './look-arounds.js';

type Repeat = Extract<PatternNode, { kind: 'repeat' }>;

/** Bytes of an alternative, at most: nginx takes words of up to 4,095 bytes. */
export const MAX_ALTERNATIVE_BYTES = 3_500;
/** Go's expressions repeat no more often than that. */
const MAX_REPETITIONS = 1_000;
/** PCRE writes out what is repeated, and has room for 64 KiB. */
const MAX_REPEATED_BYTES = 8_000;
/** PCRE nests 250 deep. */
const DEEPEST = 100;

const EDGES = { start: '^', end: '\\z', word: '\\b', inside: '\\B' };

/**
 * Expressions of which at least one matches in a text exactly when the pattern does, ignoring case. They hold no
 * captures, and nothing that has to be escaped in the configuration of a server but spaces.
 *
 * @returns alternatives; none when the pattern matches nothing of what is looked at; `null` when it can't be said.
 */
export function translatePattern(tree: PatternNode, dialect: Dialect): string[] | null {
  if (needsOf(tree).shortest > MAX_USER_AGENT_CHARACTERS) return [];
  try {
    const options = alternativesOf(withFewerLooks(tree, dialect === 're2'));
    if (dialect === 'pcre' && options.some((option) => repeatedBytes(option) > MAX_REPEATED_BYTES)) return null;
    return options.flatMap((option) => shortTexts(option, dialect));
  } catch (error) {
    if (error instanceof UntranslatableError) return null;
    throw error;
  }
}

/** One expression, or several where one would be too long. */
function shortTexts(node: PatternNode, dialect: Dialect): string[] {
  const text = textOf(node, dialect, 0);
  if (text.length <= MAX_ALTERNATIVE_BYTES) return [text];
  const parts = node.kind === 'sequence' ? node.parts : [];
  const index = parts.findIndex(({ kind }) => kind === 'choice');
  if (index === -1) throw new UntranslatableError('too long');
  return alternativesOf(parts[index]!).flatMap((option) =>
    shortTexts({ kind: 'sequence', parts: parts.with(index, option) }, dialect),
  );
}

/** Whether PCRE takes far more room for an expression than it has bytes. */
export const isWrittenOut = (expression: string): boolean => expression.includes('){');

/** Expressions of which at least one matches wherever the pattern does, and elsewhere: the texts that it requires. */
export function loosenedPattern(tree: PatternNode): string[] {
  return needsOf(tree).literals.map((literal) =>
    Array.from(literal.slice(0, 200))
      .map((character) => {
        const code = character.charCodeAt(0);
        const source = `\\x${code.toString(16).padStart(2, '0')}`;
        return characterText({ kind: 'set', codes: new Set([code]), others: false, source }, 'pcre', false);
      })
      .join(''),
  );
}

function alternativesOf(node: PatternNode): PatternNode[] {
  if (node.kind === 'choice') return node.options.flatMap(alternativesOf);
  if (node.kind === 'sequence' && node.parts.length === 1) return alternativesOf(node.parts[0]!);
  return [node];
}

function textOf(node: PatternNode, dialect: Dialect, depth: number): string {
  if (depth > DEEPEST) throw new UntranslatableError('nested too deeply');
  switch (node.kind) {
    case 'set':
      return characterText(node, dialect, false);
    case 'edge':
      return EDGES[node.at];
    case 'choice': {
      const options = alternativesOf(node);
      return `(?:${options.map((option) => textOf(option, dialect, depth + 1)).join('|')})`;
    }
    case 'sequence':
      return sequenceText(node.parts, dialect, depth);
    case 'repeat':
      return repeatText(node, dialect, depth);
    case 'look': {
      if (dialect === 're2') throw new UntranslatableError('RE2 does not look around');
      if (node.direction === 'behind' && !alternativesOf(node.part).every((option) => widthOf(option) !== null)) {
        throw new UntranslatableError('PCRE looks behind by a fixed length');
      }
      const inside = alternativesOf(node.part).map((option) => textOf(option, dialect, depth + 1));
      return `(?${node.direction === 'behind' ? '<' : ''}${node.negative ? '!' : '='}${inside.join('|')})`;
    }
  }
}

function sequenceText(parts: PatternNode[], dialect: Dialect, depth: number): string {
  let text = '';
  for (let index = 0; index < parts.length; index++) {
    const pair = surrogatePair(parts[index]!, parts[index + 1]);
    if (pair === null) text += textOf(parts[index]!, dialect, depth + (parts.length > 1 ? 1 : 0));
    else {
      text += astralText(pair, dialect);
      index++;
    }
  }
  return text;
}

/** A character past U+FFFF is two in a pattern. */
function surrogatePair(high: PatternNode, low: PatternNode | undefined): string | null {
  if (high.kind !== 'set' || low?.kind !== 'set') return null;
  const units = [high.source, low.source].map((source) => {
    const code = /^\\u([0-9a-f]{4})$/i.exec(source);
    return code === null ? source : String.fromCharCode(Number.parseInt(code[1]!, 16));
  });
  const text = units.join('');
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text) ? text : null;
}

function repeatText({ part, least, most }: Repeat, dialect: Dialect, depth: number): string {
  const text = repeatedText(part, most, dialect, depth);
  if (least === 0 && most === Infinity) return `${text}*`;
  if (least === 1 && most === Infinity) return `${text}+`;
  if (least === 0 && most === 1) return `${text}?`;
  return `(?:${repetitions(least, most)
    .map((times) => text + times)
    .join('')})`;
}

/** What stands before a quantifier: a single byte or character, or a group. */
function repeatedText(part: PatternNode, most: number, dialect: Dialect, depth: number): string {
  return part.kind === 'set' ? characterText(part, dialect, most > 1) : `(?:${textOf(part, dialect, depth + 1)})`;
}

/** Bytes of the groups that PCRE writes out, as often as they repeat, in a node. */
function repeatedBytes(node: PatternNode): number {
  const total = (nodes: PatternNode[]): number => nodes.reduce((sum, one) => sum + repeatedBytes(one), 0);
  switch (node.kind) {
    case 'set':
    case 'edge':
      return 0;
    case 'sequence':
      return total(node.parts);
    case 'choice':
      return total(node.options);
    case 'look':
      return repeatedBytes(node.part);
    case 'repeat': {
      const { part, least, most } = node;
      const text = repeatedText(part, most, 'pcre', 0);
      const times = most === Infinity ? least : most;
      return text.startsWith('(') ? times * (text.length + repeatedBytes(part)) : 0;
    }
  }
}

/** Quantifiers that together repeat so often. */
function repetitions(least: number, most: number): string[] {
  if (least > MAX_REPETITIONS)
    return [`{${MAX_REPETITIONS}}`, ...repetitions(least - MAX_REPETITIONS, most - MAX_REPETITIONS)];
  if (most === Infinity) return [`{${least},}`];
  if (most > MAX_REPETITIONS) {
    return [`{${least},${MAX_REPETITIONS}}`, ...repetitions(0, most - MAX_REPETITIONS)];
  }
  return most === 0 ? [] : [least === most ? `{${least}}` : `{${least},${most}}`];
}

/** Bytes that every match of a node has; `null` where they differ, or may. */
function widthOf(node: PatternNode): number | null {
  switch (node.kind) {
    case 'set':
      return node.others ? null : 1;
    case 'edge':
    case 'look':
      return 0;
    case 'sequence':
      return node.parts.reduce<number | null>((sum, part) => {
        const width = widthOf(part);
        return sum === null || width === null ? null : sum + width;
      }, 0);
    case 'choice': {
      const [width, ...others] = node.options.map(widthOf);
      return others.every((other) => other === width) ? width! : null;
    }
    case 'repeat': {
      const width = widthOf(node.part);
      return width === null || node.least !== node.most ? null : width * node.least;
    }
  }
}
