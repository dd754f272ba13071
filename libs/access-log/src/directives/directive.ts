import type { Template, TemplatePart } from '../line-template.js';

/** Template of the lines that a directive of a server's configuration produces. */
export interface Directive extends Template {
  /** Software whose syntax the directive uses. */
  server: 'nginx' | 'Apache' | 'GoAccess';
}

/** A directive that can't be used to read lines. The message gives the reason and the fix. */
export class DirectiveError extends Error {}

/**
 * Splits a directive into literal text and variables.
 *
 * @param variable Global pattern that matches a variable.
 * @param partOf Converts a variable, given its match and the text before it.
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

/**
 * Reads a quoted string with backslash escapes. Returns null if there is no opening quote at `start`, or no closing
 * one.
 */
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
