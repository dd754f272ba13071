/** A rule's path, compiled by {@link compilePattern}. */
export interface PathPattern {
  /** Normalized pattern. Equivalent patterns have the same text. */
  text: string;
  /** Length in octets. The longest matching rule wins. */
  length: number;
  /** Literal prefix of all matching paths. Ends before the query, which has more than one spelling. */
  prefix: string;
  matches: (path: ComparablePath) => boolean;
}

/** Spellings of a path and its query that rules are matched against; see {@link comparablePath}. */
export type ComparablePath = readonly string[];

const UNRESERVED = /[A-Za-z0-9._~-]/;
/** Percent-encoded octets, and characters that must be percent-encoded in a URI (RFC 3986 section 2). */
const ESCAPED_OR_ALIEN = /%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+/g;
/** Reserved characters that are plain data within a query (RFC 3986 section 3.4). */
const DATA_IN_QUERIES = /[:/?@[\]]+/g;

/**
 * Normalizes a path so that equivalent paths are equal octet by octet (RFC 9309 section 2.2.2). Characters that a URI
 * can't contain are percent-encoded as UTF-8, including a stray `%`. Unreserved characters are decoded, and other
 * escapes are written in upper case. The result is ASCII, so its length is its number of octets.
 */
export function normalizedPath(text: string): string {
  return text.replace(ESCAPED_OR_ALIEN, (found) => {
    if (found.length !== 3 || !found.startsWith('%')) return escaped(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

/**
 * Converts a path to the form required in a rule (RFC 9309 section 2.2.2). Adds a leading slash, and encodes whitespace
 * and `#`, which would start a comment. A leading `*` becomes `/*`, which matches the same paths.
 *
 * @param path Path as entered by a person. An empty path stays empty.
 */
export function rulePath(path: string): string {
  const written = path.trim().replaceAll('#', '%23').replaceAll(/\s/g, encodeURIComponent);
  return written === '' || written.startsWith('/') ? written : `/${written}`;
}

/**
 * Returns the spellings of a path to match against. Encodes `*` and `$`, which patterns also encode if they are meant
 * literally (RFC 9309 section 2.2.3).
 */
export function comparablePath(path: string): ComparablePath {
  return spellings(normalizedPath(path)).map(verbatim);
}

/**
 * Compiles a rule's path (RFC 9309 section 2.2.3). `*` matches any characters or none, and a trailing `$` matches the
 * end of the path. Matching takes time linear in the two lengths, because the pattern is untrusted.
 *
 * @param pattern Must not be empty: a rule without a path matches nothing.
 */
export function compilePattern(pattern: string): PathPattern {
  const normalized = normalizedPath(pattern);
  // Compiled on first use, because most rules of a long file are never tried.
  let compiled: ReturnType<typeof compileSpelling>[] | undefined;
  return {
    text: normalized,
    length: normalized.length,
    prefix: verbatim(withoutEnd(normalized).split(/[*?]/, 1)[0]!),
    matches: (path) => {
      const spelled = (compiled ??= spellings(normalized).map(compileSpelling));
      // Each spelling of the path is matched against the same spelling of the pattern.
      return path.some((spelling, index) => (spelled[index] ?? spelled[0]!)(spelling));
    },
  };
}

/**
 * Returns the path and, if it has a query, a variant with `:/?@[]` percent-encoded in the query. RFC 9309 has an
 * example in which `?baz=https://…` matches `?baz=https%3A%2F%2F…`.
 */
function spellings(normalized: string): string[] {
  const query = normalized.indexOf('?') + 1;
  if (query === 0) return [normalized];
  return [normalized, normalized.slice(0, query) + normalized.slice(query).replace(DATA_IN_QUERIES, escaped)];
}

/** Percent-encodes text as UTF-8. Unpaired surrogates become U+FFFD. */
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Removes the `$` that matches the end of the path. */
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
    // The leftmost match leaves the most text for later pieces, so backtracking is unnecessary.
    for (const search of searches) {
      at = search(path, at);
      if (at === -1) return false;
    }
    return last === undefined || (path.length - at >= last.length && path.endsWith(last));
  };
}

/**
 * Creates a Knuth–Morris–Pratt search. `indexOf` can take time proportional to the product of the two lengths.
 *
 * @returns Function that returns the end position of the first match, or -1.
 */
function searchFor(piece: string): (text: string, from: number) => number {
  /** Number of matched characters that remain after a mismatch, by the number matched so far. */
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
