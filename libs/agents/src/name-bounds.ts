import { isVariant } from './prose.js';

/**
 * Characters that continue a name to the left, apart from letters and digits: they separate the labels of a host name,
 * the segments of a path, the parts of a query or an e-mail address, and the words of a compound name such as
 * `external-secrets-operator`.
 */
const CONTINUES_BEFORE = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./\\@=%&?#~') {
  CONTINUES_BEFORE[character.charCodeAt(0)] = 1;
}

const VERSION = /^v?\d/i;

/**
 * Returns whether the text from `start` to `end` is a name by itself rather than a part of a longer word.
 *
 * A name that begins with a letter or digit doesn't begin within a word, a path, a host name, a query or a compound
 * name. A name that ends in a letter is followed neither by a letter or digit, nor by `@`, nor by a dot and a letter
 * (a host name), nor by a hyphen or underscore, unless a version or the name of a variant follows.
 * A name that ends in a digit isn't followed by a letter.
 */
export function isWholeName(text: string, start: number, end: number): boolean {
  if (start > 0 && isWordCharacter(text.charCodeAt(start)) && CONTINUES_BEFORE[text.charCodeAt(start - 1)] === 1)
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
