/** Schema format for paths in robots.txt rules. */
export const ROBOTS_PATH = 'robots-path';

/**
 * Returns true if a text can be the path in a robots.txt rule. It must be a single line, even for parsers that split
 * lines at U+2028, and not an absolute URL. An empty text means no path.
 */
export function isRobotsPath(text: string): boolean {
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) return false;
  if (text !== '' && text.trim() === '') return false;
  return !/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
