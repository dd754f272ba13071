import type { PatternNode } from '#libs/agents';
import { notPrecededBy, type Dialect } from './pattern-text.js';

/** The kinds of characters at the start and end of a pattern's matches. Used to restrict matches to whole names. */
export interface NameEdges {
  /** True if all matches begin with a letter or digit. */
  beginsWithWord: boolean;
  /** Null if matches can end in different kinds of characters. */
  last: 'letter' | 'digit' | 'other' | null;
  /**
   * True if the pattern ends in bot, crawler or spider. Such names can be followed by a hyphen or underscore and a
   * variant.
   */
  hasVariants: boolean;
}

/** Characters that can't precede a whole name. See `isWholeName`. */
const CONTINUES_BEFORE = [...'abcdefghijklmnopqrstuvwxyz0123456789-_./\\@=%&?#~'];
const PCRE_BEFORE = '(?<![a-z0-9\\x2D_\\x2E/\\x5C@=\\x25&\\x3F\\x23~])';
const PCRE_AFTER_LETTER =
  '(?![a-z0-9@]|\\x2E[a-z])(?:(?:(?<=bot)|(?<=crawler)|(?<=spider))(?![\\x2D_](?-i:[a-z]))|(?![\\x2D_](?!v?[0-9])))';
const PCRE_AFTER_DIGIT = '(?![a-z])';
/** RE2 doesn't support lookarounds, so these expressions include the character after the name in the match. */
const RE2_AFTER_VARIANTS =
  '(?:\\z|[^a-z0-9@\\x2E\\x2D_]|\\x2E(?:\\z|[^a-z])|[\\x2D_](?:\\z|v?[0-9]|[^a-z]|(?-i:[A-Z])))';
const RE2_AFTER_LETTER = '(?:\\z|[^a-z0-9@\\x2E\\x2D_]|\\x2E(?:\\z|[^a-z])|[\\x2D_]v?[0-9])';
const RE2_AFTER_DIGIT = '(?:\\z|[^a-z])';

export function wholeName(expression: string, ends: NameEdges, excluded: readonly string[], dialect: Dialect): string {
  if (dialect === 'pcre') {
    const before = (ends.beginsWithWord ? PCRE_BEFORE : '') + notPrecededBy(excluded, 'pcre');
    return before + group(expression) + pcreAfter(ends.last);
  }
  const behind = ends.beginsWithWord ? [...excluded, ...CONTINUES_BEFORE] : excluded;
  return (behind.length === 0 ? '' : notPrecededBy(behind, 're2')) + group(expression) + re2After(ends);
}

const group = (expression: string): string => `(?:${expression})`;

function re2After({ last, hasVariants }: NameEdges): string {
  if (last === 'letter') return hasVariants ? RE2_AFTER_VARIANTS : RE2_AFTER_LETTER;
  return last === 'digit' ? RE2_AFTER_DIGIT : '';
}

function pcreAfter(last: NameEdges['last']): string {
  if (last === 'other') return '';
  if (last === 'letter') return PCRE_AFTER_LETTER;
  if (last === 'digit') return PCRE_AFTER_DIGIT;
  return `(?:(?<![a-z])|${PCRE_AFTER_LETTER})(?:(?<![0-9])|${PCRE_AFTER_DIGIT})`;
}

export function nameEdges(pattern: PatternNode, source: string): NameEdges {
  const kindsOfFirst = new Set(edgeCodes(pattern, 'first').map(characterKind));
  const kindsOfLast = new Set(edgeCodes(pattern, 'last').map(characterKind));
  const [last = 'other'] = kindsOfLast;
  return {
    beginsWithWord: !kindsOfFirst.has('other') && kindsOfFirst.size > 0,
    last: kindsOfLast.size > 1 ? null : last,
    hasVariants: /(?:bot|crawler|spider)(?:\\b)?$/i.test(source),
  };
}

const characterKind = (code: number): 'letter' | 'digit' | 'other' => {
  const character = String.fromCharCode(code);
  return /[a-z]/i.test(character) ? 'letter' : /\d/.test(character) ? 'digit' : 'other';
};

/** Returns the codes of the characters with which matches can begin or end. NaN represents non-ASCII characters. */
function edgeCodes(node: PatternNode, end: 'first' | 'last'): number[] {
  switch (node.kind) {
    case 'set':
      return [...node.codes, ...(node.others ? [Number.NaN] : [])];
    case 'edge':
      return [];
    case 'repeat':
      return edgeCodes(node.part, end);
    case 'choice':
      return node.options.flatMap((option) => edgeCodes(option, end));
    case 'sequence': {
      const codes: number[] = [];
      for (const part of end === 'first' ? node.parts : node.parts.toReversed()) {
        codes.push(...edgeCodes(part, end));
        if (!canBeEmpty(part)) break;
      }
      return codes;
    }
  }
}

function canBeEmpty(node: PatternNode): boolean {
  if (node.kind === 'edge') return true;
  if (node.kind === 'set') return false;
  if (node.kind === 'repeat') return node.least === 0 || canBeEmpty(node.part);
  return node.kind === 'choice' ? node.options.some(canBeEmpty) : node.parts.every(canBeEmpty);
}
