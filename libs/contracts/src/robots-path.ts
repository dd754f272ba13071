/** Name of the schema format. */
export const ROBOTS_PATH = 'robots-path';

/**
 * Returns whether a text can be the path of a robots.txt rule: a single line, also for parsers that split lines at U+2028,
 * and not an absolute URL. An empty text means no path.
 */
export function isRobotsPath(text: string): boolean {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return false;
  if (text !== '' && text.trim() === '') return false;
  return !/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
