/** What stands in the place of a value, and the index where the value ends. */
export interface Replacement {
  text: string;
  end: number;
}

/** Returns what replaces a value, of the match of what introduces it and the index behind that; null keeps the value. */
export type FindReplacement = (match: RegExpExecArray, start: number) => Replacement | null;

const BARE = /[^\s",[\]{}\\]+/y;
const PARAMETER_VALUE = /[^&\s"]*/y;
/** Behind a quotation mark that ends a string; before any other character it belongs to the value. */
const BEHIND_STRING = /[\s,;:}\])>&\\]/;

/**
 * Replaces values behind what introduces them. Values that stay are looked through for others.
 *
 * @param head a global expression for what stands before a value, without the value.
 */
export function replaceBehind(text: string, head: RegExp, replacement: FindReplacement): string {
  let result = '';
  let done = 0;
  head.lastIndex = 0;
  for (let match = head.exec(text); match !== null; match = head.exec(text)) {
    const start = head.lastIndex;
    const replaced = replacement(match, start);
    // The last character of a head may be the one before the next.
    head.lastIndex = replaced?.end ?? start - 1;
    if (replaced === null) continue;
    result += text.slice(done, start) + replaced.text;
    done = replaced.end;
  }
  head.lastIndex = 0;
  return done === 0 ? text : result + text.slice(done);
}

/**
 * Returns the index behind the JSON value that starts at an index, in JSON that may stand escaped in a string; the index
 * itself where none starts, the length of the text where the value is cut off.
 */
export function jsonValueEnd(text: string, start: number): number {
  const quoted = quotedEnd(text, start);
  if (quoted !== null) return quoted;
  if (text[start] === '[' || text[start] === '{') return nestedEnd(text, start);
  BARE.lastIndex = start;
  return BARE.test(text) ? BARE.lastIndex : start;
}

/**
 * Returns the index behind a parameter's value that starts at an index, without quotes around it. Commas and semicolons
 * belong to it unless they end it.
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

/** Returns the index behind the string in single quotes that starts at an index; null where none starts or ends. */
export function singleQuotedEnd(text: string, start: number): number | null {
  const end = text[start] === "'" ? text.indexOf("'", start + 1) : -1;
  return end === -1 ? null : end + 1;
}

/** Returns the index behind the string in quotes, escaped or not, that starts at an index; null where none starts. */
export function quotedEnd(text: string, start: number): number | null {
  let quote = start;
  while (text[quote] === '\\') quote += 1;
  return text[quote] === '"' ? stringEnd(text, quote) : null;
}

/** A string that is escaped itself has 1, 3, 7 … backslashes before its quotes, and those within it have more. */
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
