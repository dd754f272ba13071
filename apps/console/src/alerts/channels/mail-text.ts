import { UNSEEN } from '#libs/contracts';

const DOT = /\.([\p{L}\p{N}])/gu;
const AT = /([\p{L}\p{N}])@/gu;
const MAX_LENGTH = 200;

/**
 * Makes text from users or visitors safe for a mail. Returns one line without hidden characters and without anything
 * that mail clients turn into links. Dots before a letter or digit become `․` (U+2024), which looks the same.
 */
export function mailText(text: string, maxLength = MAX_LENGTH): string {
  const plain = text
    .slice(0, 2 * maxLength)
    .toWellFormed()
    .replaceAll(UNSEEN, ' ')
    .replaceAll(DOT, '․$1')
    .replaceAll('://', ': //')
    .replaceAll(AT, '$1＠')
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength - 1).toWellFormed()}…` : plain;
}
