/** Name of the format in a schema. */
export const ROBOTS_PATH = 'robots-path';

/**
 * Whether a text can be the path of a rule in robots.txt: on one line for every parser (some take U+2028 for a
 * line's end, too), and not the address of a whole site. Empty stands for no path at all.
 */
export function isRobotsPath(text: string): boolean {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return false;
  if (text !== '' && text.trim() === '') return false;
  return !/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
