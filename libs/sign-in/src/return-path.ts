export const MAX_RETURN_PATH_LENGTH = 2_000;

/** Base for resolving relative URLs. Any origin would work. */
const PLACEHOLDER_ORIGIN = 'http://return.invalid';

/** Browsers drop tabs and line breaks from URLs and treat backslashes as slashes (WHATWG URL Standard). */
const BROWSER_REWRITTEN_CHARACTER = /[\p{Cc}\\]/u;

/** Matches a second slash or backslash, including encoded forms in case the path is decoded again. */
const HOST_PREFIX = /^\/(?:\/|%2f|%5c)/i;

/**
 * Resolves a path, including its query and fragment, to a page on this instance, as browsers do. Returns null if the
 * text isn't a path or could lead to another site.
 */
export function parseReturnPath(text: string | undefined): string | null {
  if (text === undefined || text.length > MAX_RETURN_PATH_LENGTH) return null;
  if (!text.startsWith('/') || BROWSER_REWRITTEN_CHARACTER.test(text) || !URL.canParse(text, PLACEHOLDER_ORIGIN))
    return null;
  const { origin, pathname, search, hash } = new URL(text, PLACEHOLDER_ORIGIN);
  // Dot segments can leave two leading slashes, which only the resolved path reveals.
  if (origin !== PLACEHOLDER_ORIGIN || HOST_PREFIX.test(pathname)) return null;
  const page = pathname + search + hash;
  return page.length > MAX_RETURN_PATH_LENGTH ? null : page;
}
