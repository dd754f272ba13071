/** Letters of other alphabets, in lower case and without accents, mapped to the Latin letters they look like. */
const LETTERS = pairs('авекмнорстухіјѕԁһѵԛԝӏьαβεηικμνορτυχωγıɑɡłøđ', 'abekmhopctyxijsdhvqwlbabenikmvoptuxwyiaglod');
/** Digits and symbols, mapped to the letters they stand for. The last three stand for either `i` or `l`. */
const SIGNS = pairs('@43€0$57+8(1!|', 'aaeeossttbciii');

function pairs(signs: string, letters: string): ReadonlyMap<string, string> {
  return new Map([...signs].map((sign, index) => [sign, letters[index]!]));
}

/**
 * Normalizes a text by its appearance. Lowercases it, replaces look-alikes with Latin letters, and removes accents and
 * invisible characters.
 */
export function visible(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, '')
    .toLowerCase();
  return [...plain].map((letter) => LETTERS.get(letter) ?? letter).join('');
}

export const compact = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns the possible readings of a text from {@link visible}: as is, reduced to letters and digits, and with symbols
 * replaced by letters.
 */
export function readings(text: string): string[] {
  const letters = [...text].map((sign) => SIGNS.get(sign) ?? sign).join('');
  const others = [...text].map((sign) => ('1!|'.includes(sign) ? 'l' : (SIGNS.get(sign) ?? sign))).join('');
  return [...new Set([text, compact(text), compact(letters), compact(others)])];
}
