import { INVISIBLE_CHARACTERS } from '#libs/contracts';

const DOT = /\.([\p{L}\p{N}])/gu;
const AT = /([\p{L}\p{N}])@/gu;
const MAX_LENGTH = 200;

/**
 * Sanitizes text from users or visitors for use in an email. Returns a single line without invisible characters and
 * without anything that mail clients turn into links. Dots before a letter or digit become the look-alike `․` (U+2024).
 */
export function mailText(text: string, maxLength = MAX_LENGTH): string {
  const plain = text
    .slice(0, 2 * maxLength)
    .toWellFormed()
    .replaceAll(INVISIBLE_CHARACTERS, ' ')
    .replaceAll(DOT, '․$1')
    .replaceAll('://', ': //')
    .replaceAll(AT, '$1＠')
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1).toWellFormed()}…` : plain;
}
