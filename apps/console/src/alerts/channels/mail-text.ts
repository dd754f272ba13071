import { UNSEEN } from '#libs/contracts';

const DOT = /\.([\p{L}\p{N}])/gu;
const AT = /([\p{L}\p{N}])@/gu;
const MAX_LENGTH = 200;

/**
 * Returns a text that people of a project, or visitors, chose, as part of a mail: on one line, without hidden characters, and
 * without anything that a mail program would turn into a link. Dots before a letter become `․` (U+2024), which looks the same.
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
