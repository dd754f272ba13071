/** Letters of other alphabets, in lower case and without accents, and the Latin ones that they look like. */
const LETTERS = pairs('авекмнорстухіјѕԁһѵԛԝӏьαβεηικμνορτυχωγıɑɡłøđ', 'abekmhopctyxijsdhvqwlbabenikmvoptuxwyiaglod');
/** Digits and signs, and the letters that they stand for. The last ones stand for `i` or `l`. */
const SIGNS = pairs('@43€0$57+8(1!|', 'aaeeossttbciii');

function pairs(signs: string, letters: string): ReadonlyMap<string, string> {
  return new Map([...signs].map((sign, index) => [sign, letters[index]!]));
}

/**
 * Returns a text as it looks: in lower case, with Latin letters for those that look like them, without accents and
 * without characters that cannot be seen.
 */
export function visible(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, '')
    .toLowerCase();
  return [...plain].map((letter) => LETTERS.get(letter) ?? letter).join('');
}

/** Letters and digits only. */
export const compact = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns how a text of {@link visible} may be read: as it is, and with letters for what stands for them. */
export function readings(text: string): string[] {
  const letters = [...text].map((sign) => SIGNS.get(sign) ?? sign).join('');
  const others = [...text].map((sign) => ('1!|'.includes(sign) ? 'l' : (SIGNS.get(sign) ?? sign))).join('');
  return [...new Set([text, compact(text), compact(letters), compact(others)])];
}
