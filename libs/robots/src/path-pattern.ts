/** A rule's path made ready to be compared; see {@link compilePattern}. */
export interface PathPattern {
  /** Normalized: equal paths have equal texts. */
  text: string;
  /** Octets, as the longest one wins. */
  length: number;
  /** What every path that it matches begins with; never what stands in a query, which has several spellings. */
  prefix: string;
  matches: (path: ComparablePath) => boolean;
}

/** A path with its query, in the spellings that rules are compared with; see {@link comparablePath}. */
export type ComparablePath = readonly string[];

/** RFC 3986 section 2.3. */
const UNRESERVED = /[A-Za-z0-9._~-]/;
/** An escaped octet, or what can't stand in a URI as it is (RFC 3986 section 2): it is meant to be escaped. */
const ESCAPED_OR_ALIEN = /%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+/g;
/** Reserved, but nothing but data within a query (RFC 3986 section 3.4). */
const DATA_IN_QUERIES = /[:/?@[\]]+/g;

/**
 * Spells a path so that equal ones are equal octet by octet (RFC 9309 section 2.2.2): what is outside of ASCII becomes
 * percent-encoded UTF-8, an escaped octet is unescaped where the character is unreserved, and other escapes are in
 * upper case. A `%` that escapes nothing stands for itself. The result is ASCII, so that its length is that in octets.
 */
export function normalizedPath(text: string): string {
  return text.replace(ESCAPED_OR_ALIEN, (found) => {
    if (found.length !== 3 || !found.startsWith('%')) return escaped(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

/**
 * Returns a path as RFC 9309 section 2.2.2 wants it in a rule: it starts with a slash, and holds neither spaces nor `#`, which
 * would begin a comment. Every path starts with a slash, so `/*` means the same as a leading `*`.
 *
 * @param path as people write it; empty stays empty.
 */
export function rulePath(path: string): string {
  const written = path.trim().replaceAll('#', '%23').replaceAll(/\s/g, encodeURIComponent);
  return written === '' || written.startsWith('/') ? written : `/${written}`;
}

/** Special characters in a path stand for themselves, which a pattern writes escaped (RFC 9309 section 2.2.3). */
export function comparablePath(path: string): ComparablePath {
  return spellings(normalizedPath(path)).map(verbatim);
}

/**
 * Reads a path as rules have it: `*` is any run of characters, also none, `$` at the end is the end of the path, and
 * without it anything may follow (RFC 9309 section 2.2.3). Matching takes time linear in the two lengths, since the
 * file, and so the pattern, is somebody else's.
 *
 * @param pattern not empty: an empty one is not a rule.
 */
export function compilePattern(pattern: string): PathPattern {
  const normalized = normalizedPath(pattern);
  // Most of a long file's are never asked.
  let compiled: ReturnType<typeof compileSpelling>[] | undefined;
  return {
    text: normalized,
    length: normalized.length,
    prefix: verbatim(withoutEnd(normalized).split(/[*?]/, 1)[0]!),
    matches: (path) => {
      const spelled = (compiled ??= spellings(normalized).map(compileSpelling));
      // A spelling of the pattern is for the same spelling of the path.
      return path.some((spelling, index) => (spelled[index] ?? spelled[0]!)(spelling));
    },
  };
}

/** Also with the data in a query escaped: the RFC's own table has `?baz=https://…` equal `?baz=https%3A%2F%2F…`. */
function spellings(normalized: string): string[] {
  const query = normalized.indexOf('?') + 1;
  if (query === 0) return [normalized];
  return [normalized, normalized.slice(0, query) + normalized.slice(query).replace(DATA_IN_QUERIES, escaped)];
}

/** @param text without a character that is unreserved; halves of surrogate pairs are what UTF-8 has for them. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Without the `$` that stands for the end of the path. */
const withoutEnd = (pattern: string): string => (pattern.endsWith('$') ? pattern.slice(0, -1) : pattern);

const verbatim = (text: string): string => text.replaceAll('*', '%2A').replaceAll('$', '%24');

function compileSpelling(pattern: string): (path: string) => boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...rest] = withoutEnd(pattern).split('*').map(verbatim);
  const last = isWhole ? rest.pop() : undefined;
  const searches = rest.filter((piece) => piece !== '').map(searchFor);
  return (path) => {
    if (!path.startsWith(first)) return false;
    if (isWhole && last === undefined) return path.length === first.length;
    let at = first.length;
    // The leftmost place of a piece leaves the most for those after it, so no other has to be tried.
    for (const search of searches) {
      at = search(path, at);
      if (at === -1) return false;
    }
    return last === undefined || (path.length - at >= last.length && path.endsWith(last));
  };
}

/**
 * Knuth, Morris and Pratt's search, as `indexOf` may take the product of the two lengths.
 *
 * @returns where the piece ends that is found first, or -1.
 */
function searchFor(piece: string): (text: string, from: number) => number {
  /** For a mismatch after so many characters: how many of them may be the piece's beginning again. */
  const fallback = new Uint32Array(piece.length + 1);
  for (let at = 1, matched = 0; at < piece.length; at++) {
    while (matched > 0 && piece[at] !== piece[matched]) matched = fallback[matched]!;
    if (piece[at] === piece[matched]) matched++;
    fallback[at + 1] = matched;
  }
  return (text, from) => {
    for (let at = from, matched = 0; at < text.length; at++) {
      while (matched > 0 && text[at] !== piece[matched]) matched = fallback[matched]!;
      if (text[at] === piece[matched]) matched++;
      if (matched === piece.length) return at + 1;
    }
    return -1;
  };
}
