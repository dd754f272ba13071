export const MAX_RETURN_ADDRESS_LENGTH = 2_000;

/** Base for resolving relative addresses. The choice of origin makes no difference. */
const HERE = 'http://return.invalid';

/** Browsers drop tabs and line breaks from URLs and treat backslashes as slashes (WHATWG URL Standard). */
const REWRITTEN = /[\p{Cc}\\]/u;

/** Second slash, plain or encoded, or an encoded backslash, in case the path is decoded again. */
const OTHER_HOST = /^\/(?:\/|%2f|%5c)/i;

/**
 * Returns the path, query and fragment of a page on this instance, resolved as in browsers. Returns null if the text is
 * not a path, or could lead to another site.
 */
export function returnAddress(text: string | undefined): string | null {
  if (text === undefined || text.length > MAX_RETURN_ADDRESS_LENGTH) return null;
  if (!text.startsWith('/') || REWRITTEN.test(text) || !URL.canParse(text, HERE)) return null;
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // Dot segments can leave two slashes at the start, which only the resolved path shows.
  if (origin !== HERE || OTHER_HOST.test(pathname)) return null;
  const page = pathname + search + hash;
  return page.length > MAX_RETURN_ADDRESS_LENGTH ? null : page;
}
