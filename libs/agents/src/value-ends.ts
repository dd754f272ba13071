/** Replacement for a value that ends before the index `end`. */
export interface Replacement {
  text: string;
  end: number;
}

/**
 * Returns the replacement for a value, or null to leave it unchanged.
 *
 * @param match Match for the text before the value.
 * @param start Start index of the value.
 */
export type FindReplacement = (match: RegExpExecArray, start: number) => Replacement | null;

const UNQUOTED_VALUE = /[^\s",[\]{}\\]+/y;
const PARAMETER_VALUE = /[^&\s"]*/y;
/** Characters that can follow a closing quote. Before any other character, a quote is part of the value. */
const AFTER_STRING = /[\s,;:}\])>&\\]/;

/**
 * Replaces the value after each match. Values that remain unchanged are searched for more matches.
 *
 * @param namePattern Global regular expression that matches the text before a value.
 */
export function replaceValues(text: string, namePattern: RegExp, replacement: FindReplacement): string {
  let result = '';
  let copiedUntil = 0;
  namePattern.lastIndex = 0;
  for (let match = namePattern.exec(text); match !== null; match = namePattern.exec(text)) {
    const start = namePattern.lastIndex;
    const replaced = replacement(match, start);
    // If the value isn't replaced, search again from its preceding character, because the next match may start with
    // that character.
    namePattern.lastIndex = replaced?.end ?? start - 1;
    if (replaced === null) continue;
    result += text.slice(copiedUntil, start) + replaced.text;
    copiedUntil = replaced.end;
  }
  namePattern.lastIndex = 0;
  return copiedUntil === 0 ? text : result + text.slice(copiedUntil);
}

/**
 * Returns the index after the JSON value at `start`. The JSON may be escaped inside a string. Returns `start` if no
 * value starts there, or the length of the text if the value is truncated.
 */
export function findJsonValueEnd(text: string, start: number): number {
  const quoted = findQuotedEnd(text, start);
  if (quoted !== null) return quoted;
  if (text[start] === '[' || text[start] === '{') return findNestedEnd(text, start);
  UNQUOTED_VALUE.lastIndex = start;
  return UNQUOTED_VALUE.test(text) ? UNQUOTED_VALUE.lastIndex : start;
}

/** Returns the index after the unquoted parameter value at `start`, excluding trailing commas and semicolons. */
export function findUnquotedEnd(text: string, start: number): number {
  let end = start;
  for (;;) {
    PARAMETER_VALUE.lastIndex = end;
    PARAMETER_VALUE.test(text);
    end = PARAMETER_VALUE.lastIndex;
    const next = text[end + 1];
    if (text[end] !== '"' || next === undefined || AFTER_STRING.test(next)) break;
    end += 1;
  }
  while (end > start && (',;'.includes(text[end - 1]!) || (text[end - 1] === '\\' && text[end] === '"'))) end -= 1;
  return end;
}

/** Returns the index after the single-quoted string at `start`, or null if there is none or it is unclosed. */
export function findSingleQuotedEnd(text: string, start: number): number | null {
  const end = text[start] === "'" ? text.indexOf("'", start + 1) : -1;
  return end === -1 ? null : end + 1;
}

/**
 * Returns the index after the double-quoted string at `start`. Its quotes may be escaped. Returns null if there is no
 * string, or the length of the text if it is unclosed.
 */
export function findQuotedEnd(text: string, start: number): number | null {
  let quote = start;
  while (text[quote] === '\\') quote += 1;
  return text[quote] === '"' ? findStringEnd(text, quote) : null;
}

/**
 * Returns the index after the string whose opening quote is at `quote`. Depending on the level of escaping, there are 0,
 * 1, 3, 7, … backslashes before the quotes around a string, and more before the quotes inside it.
 */
function findStringEnd(text: string, quote: number): number {
  const backslashes = countBackslashesBefore(text, quote);
  for (let at = text.indexOf('"', quote + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (countBackslashesBefore(text, at) % (2 * (backslashes + 1)) <= backslashes) return at + 1;
  }
  return text.length;
}

function countBackslashesBefore(text: string, index: number): number {
  let start = index;
  while (text[start - 1] === '\\') start -= 1;
  return index - start;
}

function findNestedEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = findStringEnd(text, at);
      continue;
    }
    at += 1;
    if (character === '[' || character === '{') depth += 1;
    else if ((character === ']' || character === '}') && (depth -= 1) === 0) return at;
  }
  return text.length;
}
