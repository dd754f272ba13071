/** Text that replaces a value, and the index after the value. */
export interface Replacement {
  text: string;
  end: number;
}

/**
 * Returns the replacement for a value, or null to keep the value.
 *
 * @param match Match of the text before the value.
 * @param start Index at which the value starts.
 */
export type FindReplacement = (match: RegExpExecArray, start: number) => Replacement | null;

const BARE = /[^\s",[\]{}\\]+/y;
const PARAMETER_VALUE = /[^&\s"]*/y;
/**
 * Characters that make a preceding quotation mark the end of a string. Before any other character, the mark is part of
 * the value.
 */
const BEHIND_STRING = /[\s,;:}\])>&\\]/;

/**
 * Replaces the value after each match of `head`. A value that is kept is searched for further matches.
 *
 * @param head Global expression that matches the text before a value, without the value.
 */
export function replaceBehind(text: string, head: RegExp, replacement: FindReplacement): string {
  let result = '';
  let done = 0;
  head.lastIndex = 0;
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const start = head.lastIndex;
    const replaced = replacement(match, start);
    // The last character of a match may also be the first of the next one.
    head.lastIndex = replaced?.end ?? start - 1;
    if (replaced === null) continue;
    result += text.slice(done, start) + replaced.text;
    done = replaced.end;
  }
  head.lastIndex = 0;
  return done === 0 ? text : result + text.slice(done);
}

/**
 * Returns the index after the JSON value at `start`, which may be escaped inside a string. Returns `start` if there is
 * no value, or the length of the text if the value is truncated.
 */
export function jsonValueEnd(text: string, start: number): number {
  const quoted = quotedEnd(text, start);
  if (quoted !== null) return quoted;
  if (text[start] === '[' || text[start] === '{') return nestedEnd(text, start);
  BARE.lastIndex = start;
  return BARE.test(text) ? BARE.lastIndex : start;
}

/**
 * Returns the index after the unquoted parameter value at `start`. Commas and semicolons are part of the value unless
 * they are at its end.
 */
export function bareEnd(text: string, start: number): number {
  let end = start;
  for (;;) {
    PARAMETER_VALUE.lastIndex = end;
    PARAMETER_VALUE.test(text);
    end = PARAMETER_VALUE.lastIndex;
    const next = text[end + 1];
    if (text[end] !== '"' || next === undefined || BEHIND_STRING.test(next)) break;
    end += 1;
  }
  while (end > start && (',;'.includes(text[end - 1]!) || (text[end - 1] === '\\' && text[end] === '"'))) end -= 1;
  return end;
}

/** Returns the index after the single-quoted string at `start`, or null if there is none or it isn't closed. */
export function singleQuotedEnd(text: string, start: number): number | null {
  const end = text[start] === "'" ? text.indexOf("'", start + 1) : -1;
  return end === -1 ? null : end + 1;
}

/**
 * Returns the index after the double-quoted string at `start`, whose quotes may be escaped. Returns null if there is
 * none, or the length of the text if the string isn't closed.
 */
export function quotedEnd(text: string, start: number): number | null {
  let quote = start;
  while (text[quote] === '\\') quote += 1;
  return text[quote] === '"' ? stringEnd(text, quote) : null;
}

/**
 * Depending on the level of escaping, the quotes around a string follow 0, 1, 3, 7, … backslashes. Quotes within the
 * string follow more.
 */
function stringEnd(text: string, quote: number): number {
  const backslashes = backslashesBefore(text, quote);
  for (let at = text.indexOf('"', quote + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (backslashesBefore(text, at) % (2 * (backslashes + 1)) <= backslashes) return at + 1;
  }
  return text.length;
}

function backslashesBefore(text: string, index: number): number {
  let start = index;
  while (text[start - 1] === '\\') start -= 1;
  return index - start;
}

function nestedEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at);
      continue;
    }
    at += 1;
    if (character === '[' || character === '{') depth += 1;
    else if ((character === ']' || character === '}') && (depth -= 1) === 0) return at;
  }
  return text.length;
}
