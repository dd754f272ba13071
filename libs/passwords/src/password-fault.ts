/** What somebody who knows the account, but not the person's secrets, would try first. */
export interface PasswordContext {
  email?: string | undefined;
  name?: string | undefined;
  /** Address of the instance. */
  url?: string | undefined;
}

/** Characters that have to be left when the words of the context are taken away. */
const MIN_OWN_CHARACTERS = 8;
/** Shorter ones occur in other words. */
const MIN_WORD_LENGTH = 3;
const PRODUCT_WORDS = ['agent', 'traffic'];
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
};
const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop'];

/**
 * Says why a password cannot be chosen; `null` when it can. Its length is for the caller to check, before.
 *
 * @param common as {@link commonPasswords} has them.
 */
export function passwordFault(
  password: string,
  common: ReadonlySet<string>,
  context: PasswordContext = {},
): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  const unit = repeatedUnit(text);
  if (unit.length < MIN_WORD_LENGTH + 1 || isSequence(text)) {
    return 'repeats or counts, which is easy to guess. Choose one that does not.';
  }
  if (variants(unit).some((variant) => common.has(variant))) {
    return 'is one of the most common passwords, or close to one. Choose another one.';
  }
  const own = withoutWords(text, contextWords(context));
  return own !== null && own.length < MIN_OWN_CHARACTERS
    ? 'is mostly your name, your e-mail address or the name of this service. Choose another one.'
    : null;
}

/** The words in what is known of an account, in lower case, longer ones first. */
export function contextWords({ email = '', name = '', url = '' }: PasswordContext): string[] {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const words = [email, name, host].flatMap((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  );
  const long = [...words, ...PRODUCT_WORDS].filter((word) => word.length >= MIN_WORD_LENGTH);
  return [...new Set(long)].toSorted((one, other) => other.length - one.length);
}

/** What is left between the words, letters and digits only; `null` where none of them occurs. */
function withoutWords(text: string, words: readonly string[]): string | null {
  let left = text;
  for (const word of words) left = left.replaceAll(word, ' ');
  return left === text ? null : left.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The text; without the digits and signs around it; and with letters for what stands for them. */
function variants(text: string): string[] {
  const letters = [...text].map((character) => LOOKALIKES[character] ?? character).join('');
  return [text, letters, core(text), core([...core(text)].map((one) => LOOKALIKES[one] ?? one).join(''))];
}

function core(text: string): string {
  const first = text.search(/\p{L}/u);
  if (first === -1) return text;
  let end = text.length;
  while (!/[\p{L}@$]/u.test(text[end - 1]!)) end--;
  return text.slice(first, end);
}

/** The shortest text of which the whole is a repetition, the last time perhaps cut off. */
function repeatedUnit(text: string): string {
  // The prefix function of Knuth, Morris and Pratt: how much of the beginning ends at each position.
  const borders = [0];
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length > 0 && text[index] !== text[length]) length = borders[length - 1]!;
    if (text[index] === text[length]) length++;
    borders.push(length);
  }
  return text.slice(0, text.length - (borders.at(-1) ?? 0));
}

/** Whether nearly each character follows the one before in the alphabet, the digits or a row of keys, either way. */
function isSequence(text: string): boolean {
  const pairs = [...text].slice(1).map((character, index) => [text[index]!, character] as const);
  const steps = pairs.filter(([one, next]) => follows(one, next) || follows(next, one)).length;
  return steps >= pairs.length * 0.75;
}

function follows(one: string, next: string): boolean {
  if (next.charCodeAt(0) - one.charCodeAt(0) === 1 || (one === '9' && next === '0')) return true;
  return KEYBOARD_ROWS.some((row) => row.includes(one + next));
}
