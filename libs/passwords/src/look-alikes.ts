/** Lowercase letters without accents from other alphabets, mapped to the Latin letters that they resemble. */
const LOOK_ALIKE_LETTERS = createMap(
  'авекмнорстухіјѕԁһѵԛԝӏьαβεηικμνορτυχωγıɑɡłøđ',
  'abekmhopctyxijsdhvqwlbabenikmvoptuxwyiaglod',
);
/** Digits and symbols mapped to the letters that they stand for. The last three stand for either `i` or `l`. */
const SIGN_READINGS = createMap('@43€0$57+8(1!|', 'aaeeossttbciii');

function createMap(signs: string, letters: string): ReadonlyMap<string, string> {
  return new Map([...signs].map((sign, index) => [sign, letters[index]!]));
}

/**
 * Normalizes text by its appearance. Converts it to lowercase, replaces look-alikes with Latin letters, and removes
 * accents and invisible characters.
 */
export function normalizeAppearance(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, '')
    .toLowerCase();
  return [...plain].map((letter) => LOOK_ALIKE_LETTERS.get(letter) ?? letter).join('');
}

export const removeSymbols = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns the possible readings of text from {@link normalizeAppearance}: unchanged, reduced to letters and digits, and with
 * symbols replaced by letters.
 */
export function getReadings(text: string): string[] {
  const letters = [...text].map((sign) => SIGN_READINGS.get(sign) ?? sign).join('');
  const alternativeLetters = [...text]
    .map((sign) => ('1!|'.includes(sign) ? 'l' : (SIGN_READINGS.get(sign) ?? sign)))
    .join('');
  return [...new Set([text, removeSymbols(text), removeSymbols(letters), removeSymbols(alternativeLetters)])];
}
