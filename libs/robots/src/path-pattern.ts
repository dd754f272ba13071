/** A rule's path, compiled by {@link compilePattern}. */
export interface PathPattern {
  /** Normalized pattern, which is the same for equivalent patterns. */
  text: string;
  /** Length in octets. The longest matching rule wins. */
  length: number;
  /** Literal prefix of all matching paths. It ends before the query, which has more than one spelling. */
  prefix: string;
  matches: (path: ComparablePath) => boolean;
}

/** Spellings of a path and its query to match rules against. See {@link toComparablePath}. */
export type ComparablePath = readonly string[];

const UNRESERVED = /[A-Za-z0-9._~-]/;
/** Percent-encoded octets and characters that must be percent-encoded in a URI (RFC 3986, section 2). */
const ESCAPE_OR_INVALID = /%(?:[0-9A-Fa-f]{2})?|[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+/g;
/** Reserved characters that are plain data in a query (RFC 3986, section 3.4). */
const QUERY_DATA = /[:/?@[\]]+/g;

/**
 * Normalizes a path so equivalent paths have the same octets (RFC 9309, section 2.2.2).
 *
 * Characters that a URI can't contain, including a stray `%`, are percent-encoded as UTF-8. Unreserved characters are
 * decoded, and other escapes are converted to uppercase. The result is ASCII, so its length is its number of octets.
 */
export function normalizePath(text: string): string {
  return text.replace(ESCAPE_OR_INVALID, (match) => {
    if (match.length !== 3 || !match.startsWith('%')) return percentEncode(match);
    const character = String.fromCharCode(Number.parseInt(match.slice(1), 16));
    return UNRESERVED.test(character) ? character : match.toUpperCase();
  });
}

/**
 * Converts a path to the form required in a rule (RFC 9309, section 2.2.2). Adds a leading slash and encodes whitespace
 * and `#`, which would start a comment. A leading `*` becomes `/*`, which matches the same paths.
 *
 * @param path Path as entered by a person. An empty path remains empty.
 */
export function toRulePath(path: string): string {
  const encoded = path.trim().replaceAll('#', '%23').replaceAll(/\s/g, encodeURIComponent);
  return encoded === '' || encoded.startsWith('/') ? encoded : `/${encoded}`;
}

/**
 * Returns the spellings of a path to match against. `*` and `$` are encoded because patterns also encode them as
 * literals (RFC 9309, section 2.2.3).
 */
export function toComparablePath(path: string): ComparablePath {
  return getSpellings(normalizePath(path)).map(escapeWildcards);
}

/**
 * Compiles a rule's path (RFC 9309, section 2.2.3). `*` matches any number of characters, and a trailing `$` matches
 * the end of the path. Patterns are untrusted, so matching takes linear time.
 *
 * @param pattern Must not be empty, because a rule without a path matches nothing.
 */
export function compilePattern(pattern: string): PathPattern {
  const normalized = normalizePath(pattern);
  // Compiled on first use because most rules in a long file are never tried.
  let compiled: ReturnType<typeof compileSpelling>[] | undefined;
  return {
    text: normalized,
    length: normalized.length,
    prefix: escapeWildcards(removeEndAnchor(normalized).split(/[*?]/, 1)[0]!),
    matches: (path) => {
      const compiledSpellings = (compiled ??= getSpellings(normalized).map(compileSpelling));
      // Matches each spelling of the path against the pattern in the same spelling. If the pattern only has one, it
      // applies to all of them.
      return path.some((spelling, index) => (compiledSpellings[index] ?? compiledSpellings[0]!)(spelling));
    },
  };
}

/**
 * Returns the path and, if it has a query, a variant in which `:/?@[]` are percent-encoded in the query. In an RFC 9309
 * example, `?baz=https://…` matches `?baz=https%3A%2F%2F…`.
 */
function getSpellings(normalized: string): string[] {
  const query = normalized.indexOf('?') + 1;
  if (query === 0) return [normalized];
  return [normalized, normalized.slice(0, query) + normalized.slice(query).replace(QUERY_DATA, percentEncode)];
}

/** Percent-encodes text as UTF-8 and replaces unpaired surrogates with U+FFFD. */
const percentEncode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Removes a trailing `$`, which matches the end of the path. */
const removeEndAnchor = (pattern: string): string => (pattern.endsWith('$') ? pattern.slice(0, -1) : pattern);

const escapeWildcards = (text: string): string => text.replaceAll('*', '%2A').replaceAll('$', '%24');

function compileSpelling(pattern: string): (path: string) => boolean {
  const isAnchored = pattern.endsWith('$');
  const [first = '', ...rest] = removeEndAnchor(pattern).split('*').map(escapeWildcards);
  const last = isAnchored ? rest.pop() : undefined;
  const needles = rest.filter((needle) => needle !== '');
  // Created when a path first reaches them, because a hostile pattern can have far more pieces than any path.
  const searches: ReturnType<typeof createSearch>[] = [];
  return (path) => {
    if (!path.startsWith(first)) return false;
    if (isAnchored && last === undefined) return path.length === first.length;
    let at = first.length;
    // The leftmost match leaves the most text for later pieces, so backtracking is unnecessary.
    for (const [index, needle] of needles.entries()) {
      if (path.length - at < needle.length) return false;
      at = (searches[index] ??= createSearch(needle))(path, at);
      if (at === -1) return false;
    }
    return last === undefined || (path.length - at >= last.length && path.endsWith(last));
  };
}

/**
 * Creates a Knuth–Morris–Pratt search. `indexOf` can take time proportional to the product of the lengths.
 *
 * @returns Function that returns the end position of the first match, or -1.
 */
function createSearch(needle: string): (text: string, from: number) => number {
  /** For each number of matched characters, how many still match after a mismatch. */
  const fallback = new Uint32Array(needle.length + 1);
  for (let at = 1, matched = 0; at < needle.length; at++) {
    while (matched > 0 && needle[at] !== needle[matched]) matched = fallback[matched]!;
    if (needle[at] === needle[matched]) matched++;
    fallback[at + 1] = matched;
  }
  return (text, from) => {
    for (let at = from, matched = 0; at < text.length; at++) {
      while (matched > 0 && text[at] !== needle[matched]) matched = fallback[matched]!;
      if (text[at] === needle[matched]) matched++;
      if (matched === needle.length) return at + 1;
    }
    return -1;
  };
}
