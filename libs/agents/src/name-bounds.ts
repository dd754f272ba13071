import { isVariant } from './prose.js';

/**
 * Characters that can't come directly before a name: letters, digits, and separators in host names, paths, queries,
 * email addresses and compound names such as `external-secrets-operator`.
 */
const CONTINUES_NAME = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\@=%&?#~') {
  CONTINUES_NAME[character.charCodeAt(0)] = 1;
}

const VERSION = /^v?\d/i;

/**
 * Returns true if the text from `start` to `end` is a whole name rather than part of a longer word.
 *
 * - A name that starts with a letter or digit must not continue a word, path, host name, query or compound name.
 * - A name that ends with a letter must not be followed by a letter, a digit, `@`, or a dot and a letter (a host name). A
 *   hyphen or underscore after it must be followed by a version or the name of a variant.
 * - A name that ends with a digit must not be followed by a letter.
 */
export function isWholeName(text: string, start: number, end: number): boolean {
  if (start > 0 && isWordCharacter(text.charCodeAt(start)) && CONTINUES_NAME[text.charCodeAt(start - 1)] === 1)
    return false;
  if (end === text.length) return true;
  const next = text.charCodeAt(end);
  if (isDigit(text.charCodeAt(end - 1))) return !isLetter(next);
  if (!isLetter(text.charCodeAt(end - 1))) return true;
  if (isWordCharacter(next) || next === AT) return false;
  if (next === DOT) return !isLetter(text.charCodeAt(end + 1));
  if (next !== HYPHEN && next !== UNDERSCORE) return true;
  return VERSION.test(text.slice(end + 1, end + 3)) || isVariant(text, start, end);
}

const AT = 0x40;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
const isWordCharacter = (code: number): boolean => isLetter(code) || isDigit(code);
