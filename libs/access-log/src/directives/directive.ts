import type { Template, TemplatePart } from '../line-template.js';

/** What a directive of a server's configuration says of the lines it makes. */
export interface Directive extends Template {
  /** Of whose configuration it is, for people. */
  server: 'nginx' | 'Apache' | 'GoAccess';
}

/** A directive that lines cannot be read by; the message says why, and what to do. */
export class DirectiveError extends Error {}

/**
 * Cuts a directive into texts and its variables.
 *
 * @param variable found one after the other; global.
 * @param partOf what a variable stands for, with what stands before it.
 */
export function partsOf(
  text: string,
  variable: RegExp,
  partOf: (found: RegExpMatchArray, before: string) => TemplatePart | TemplatePart[],
): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const found of text.matchAll(variable)) {
    parts.push(text.slice(at, found.index), ...[partOf(found, text.slice(0, found.index))].flat());
    at = found.index + found[0].length;
  }
  return [...parts, text.slice(at)];
}

/** Reads a text in quotes, with `\` before quotes and backslashes; null when none opens at `start`, or none closes. */
export function readQuotedWord(text: string, start: number): { word: string; end: number } | null {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return null;
  let word = '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return { word, end: at + 1 };
    if (text[at] === '\\' && at + 1 < text.length) {
      at += 1;
      word += unescaped(text[at]!);
    } else word += text[at]!;
  }
  return null;
}

const unescaped = (character: string): string =>
  ({ t: '\t', n: '\n', r: '\r', '"': '"', "'": "'", '\\': '\\' })[character] ?? `\\${character}`;
