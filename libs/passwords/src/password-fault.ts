import { removeSymbols, getReadings, normalizeAppearance } from './look-alikes.js';

/** Account details that an attacker would try first. */
export interface PasswordContext {
  email?: string | undefined;
  name?: string | undefined;
  url?: string | undefined;
}

/** Minimum number of characters that must remain when context words or repetitions are removed from a password. */
const MIN_REMAINING_CHARACTERS = 8;
const MIN_DIFFERENT_CHARACTERS = 5;
/** Minimum length of a context word. Shorter words are ignored, because they also occur inside other words. */
const MIN_WORD_LENGTH = 3;
const PRODUCT_WORDS = ['agent', 'traffic'];
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop'];

/**
 * Returns why a password is too easy to guess, or null if it is acceptable. The result is a sentence without a subject.
 * The caller must check the length first.
 *
 * @param common Result of `loadCommonPasswords`.
 */
export function findPasswordFault(
  password: string,
  common: ReadonlySet<string>,
  context: PasswordContext = {},
): string | null {
  const text = normalizeAppearance(password);
  const letters = removeSymbols(text);
  const repeatedUnits = [text, letters].filter((form) => form.length >= MIN_REMAINING_CHARACTERS).map(findRepeatedUnit);
  if (
    countWithoutRuns(text) < MIN_REMAINING_CHARACTERS ||
    repeatedUnits.some((unit) => unit.length < MIN_WORD_LENGTH + 1 || isSequence([...unit]))
  ) {
    return 'repeats or counts, which makes it easy to guess. Choose another password.';
  }
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) {
    return `has too few different characters. Use at least ${MIN_DIFFERENT_CHARACTERS}.`;
  }
  const candidates = [text, ...repeatedUnits, trimStart(text), trimEnd(text), trimEnd(trimStart(text))];
  if (candidates.flatMap(getReadings).some((reading) => common.has(reading))) {
    return 'is a common password or similar to one. Choose another password.';
  }
  const words = getContextWords(context);
  return getReadings(text).some((reading) => isMostly(reading, words))
    ? 'consists mostly of your name, your email address or the name of this service. Choose another password.'
    : null;
}

/**
 * Returns the words that an attacker would try: account details and the product name. The words are lowercase and
 * sorted by length, longest first.
 */
export function getContextWords({ email = '', name = '', url = '' }: PasswordContext): string[] {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const words = [email, name, host].flatMap((text) => normalizeAppearance(text).split(/[^\p{L}\p{N}]+/u));
  const longWords = [...words.flatMap(getReadings), ...PRODUCT_WORDS].filter((word) => word.length >= MIN_WORD_LENGTH);
  return [...new Set(longWords)].toSorted((one, other) => other.length - one.length);
}

/** Returns true if the text consists mostly of the words. */
function isMostly(text: string, words: readonly string[]): boolean {
  let remaining = text;
  for (const word of words) remaining = remaining.replaceAll(word, ' ');
  return remaining !== text && remaining.replaceAll(' ', '').length < MIN_REMAINING_CHARACTERS;
}

const trimStart = (text: string): string => text.slice(Math.max(text.search(/\p{L}/u), 0));

/** Removes everything after the last letter, `@` or `$`. These two symbols may stand for letters. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !/[\p{L}@$]/u.test(text[end - 1]!)) end--;
  return end === 0 ? text : text.slice(0, end);
}

/** Counts characters, but at most two from each run of equal characters. */
const countWithoutRuns = (text: string): number =>
  [...text].filter((one, index, all) => one !== all[index - 1] || one !== all[index - 2]).length;

/** Returns the shortest text that forms the input when repeated. The last repetition may be incomplete. */
function findRepeatedUnit(text: string): string {
  // Knuth–Morris–Pratt prefix function: for each position, the length of the longest prefix that also ends there.
  const borders = [0];
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = borders[length - 1]!;
    if (text[index] === text[length]) length++;
    borders.push(length);
  }
  return text.slice(0, text.length - (borders.at(-1) ?? 0));
}

/**
 * Returns true if most characters are adjacent to the previous one in the alphabet, the digits or a keyboard row, in
 * either direction.
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
