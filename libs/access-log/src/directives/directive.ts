import type { Template, TemplatePart } from '../line-template.js';

/** Template for log lines, parsed from a directive in a server configuration. */
export interface Directive extends Template {
  /** Server or tool whose syntax the directive uses. */
  server: 'nginx' | 'Apache' | 'GoAccess';
}

/** Thrown if lines can't be read with a directive. The message explains the reason and the fix. */
export class DirectiveError extends Error {}

/**
 * Splits a directive into literal text and variables.
 *
 * @param variable Pattern with the `g` flag that matches a variable.
 * @param toPart Converts a variable. Receives its match and the text before it.
 */
export function splitParts(
  text: string,
  variable: RegExp,
  toPart: (found: RegExpMatchArray, before: string) => TemplatePart | TemplatePart[],
): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const found of text.matchAll(variable)) {
    parts.push(text.slice(at, found.index), ...[toPart(found, text.slice(0, found.index))].flat());
    at = found.index + found[0].length;
  }
  return [...parts, text.slice(at)];
}

/**
 * Reads a quoted string with backslash escapes. Returns null if there is no quote at `start`, or if it isn't closed.
 */
export function readQuotedWord(text: string, start: number): { word: string; end: number } | null {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return null;
  let word = '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return { word, end: at + 1 };
    if (text[at] === '\\' && at + 1 < text.length) {
      at += 1;
      word += unescapeCharacter(text[at]!);
    } else word += text[at]!;
  }
  return null;
}

const unescapeCharacter = (character: string): string =>
  ({ t: '\t', n: '\n', r: '\r', '"': '"', "'": "'", '\\': '\\' })[character] ?? `\\${character}`;
