/** Characters of a return address, at most. */
export const MAX_RETURN_ADDRESS_LENGTH = 2_000;

/** Any origin does: what is relative to it is relative to every other one. */
const HERE = 'http://return.invalid';

/** Browsers drop tabs and line breaks from addresses and read a backslash as a slash (WHATWG URL). */
const REWRITTEN = /[\p{Cc}\\]/u;

/** A second slash, plain or encoded, for whatever decodes the path once more. */
const OTHER_HOST = /^\/(?:\/|%2f|%5c)/i;

/**
 * Returns the page of this instance that a link asks to return to, as browsers resolve it: path, query and fragment.
 * Null for every text that leads elsewhere, might lead elsewhere, or is not a path.
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
