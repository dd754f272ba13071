import { compact, readings, visible } from './look-alikes.js';

/** Account details that an attacker would try first. */
export interface PasswordContext {
  email?: string | undefined;
  name?: string | undefined;
  url?: string | undefined;
}

/** Minimum number of characters left after removing context words or repetitions. */
const MIN_OWN_CHARACTERS = 8;
const MIN_DIFFERENT_CHARACTERS = 5;
/** Shorter words also occur inside other words. */
const MIN_WORD_LENGTH = 3;
const PRODUCT_WORDS = ['agent', 'traffic'];
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop'];

/**
 * Returns why a password is too easy to guess, or null if it is acceptable. The reason is a sentence without its
 * subject. The caller must check the length first.
 *
 * @param common Result of {@link commonPasswords}.
 */
export function passwordFault(
  password: string,
  common: ReadonlySet<string>,
  context: PasswordContext = {},
): string | null {
  const text = visible(password);
  const letters = compact(text);
  const units = [text, letters].filter((form) => form.length >= MIN_OWN_CHARACTERS).map(repeatedUnit);
  if (
    withoutRuns(text) < MIN_OWN_CHARACTERS ||
    units.some((unit) => unit.length < MIN_WORD_LENGTH + 1 || isSequence([...unit]))
  ) {
    return 'repeats or counts, which is easy to guess. Choose one that does not.';
  }
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) {
    return `has too few different characters. Use at least ${MIN_DIFFERENT_CHARACTERS}.`;
  }
  const cores = [text, ...units, withoutStart(text), withoutEnd(text), withoutEnd(withoutStart(text))];
  if (cores.flatMap(readings).some((reading) => common.has(reading))) {
    return 'is one of the most common passwords, or close to one. Choose another one.';
  }
  const words = contextWords(context);
  return readings(text).some((reading) => isMostly(reading, words))
    ? 'is mostly your name, your e-mail address or the name of this service. Choose another one.'
    : null;
}

/**
 * Returns the words that an attacker would try: account details and the name of the product. In lower case, longest
 * first.
 */
export function contextWords({ email = '', name = '', url = '' }: PasswordContext): string[] {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const words = [email, name, host].flatMap((text) => visible(text).split(/[^\p{L}\p{N}]+/u));
  const long = [...words.flatMap(readings), ...PRODUCT_WORDS].filter((word) => word.length >= MIN_WORD_LENGTH);
  return [...new Set(long)].toSorted((one, other) => other.length - one.length);
}

/** Returns true if the text contains some of the words and little else. */
function isMostly(text: string, words: readonly string[]): boolean {
  let left = text;
  for (const word of words) left = left.replaceAll(word, ' ');
  return left !== text && left.replaceAll(' ', '').length < MIN_OWN_CHARACTERS;
}

/** Removes digits and symbols before the first letter. */
const withoutStart = (text: string): string => text.slice(Math.max(text.search(/\p{L}/u), 0));

/** Removes everything after the last letter, `@` or `$`. The two symbols may stand for letters. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !/[\p{L}@$]/u.test(text[end - 1]!)) end--;
  return end === 0 ? text : text.slice(0, end);
}

/** Counts characters, but no more than two of each run of equal ones. */
const withoutRuns = (text: string): number =>
  [...text].filter((one, index, all) => one !== all[index - 1] || one !== all[index - 2]).length;

/** Returns the shortest text that, repeated, forms the input. The last repetition may be incomplete. */
function repeatedUnit(text: string): string {
  // Prefix function of Knuth, Morris and Pratt: length of the longest prefix that also ends at each position.
  const borders = [0];
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = borders[length - 1]!;
    if (text[index] === text[length]) length++;
    borders.push(length);
  }
  return text.slice(0, text.length - (borders.at(-1) ?? 0));
}

/**
 * Returns true if most characters follow the previous one, in either direction, in the alphabet, the digits or a
 * keyboard row.
 */
function isSequence(characters: readonly string[]): boolean {
  const pairs = characters.slice(1).map((character, index) => [characters[index]!, character] as const);
  const steps = pairs.filter(([one, next]) => follows(one, next) || follows(next, one)).length;
  return steps >= pairs.length * 0.75;
}

function follows(one: string, next: string): boolean {
  if (next.charCodeAt(0) - one.charCodeAt(0) === 1 || (one === '9' && next === '0')) return true;
  return KEYBOARD_ROWS.some((row) => row.includes(one + next));
}
