/** Maximum number of `*` in a path pattern. */
export const MAX_PATH_WILDCARDS = 5;

/** Text with at most {@link MAX_PATH_WILDCARDS} `*`. */
export const PATH_FILTER_PATTERN = `^[^*]*(\\*[^*]*){0,${MAX_PATH_WILDCARDS}}$`;

/** Path pattern without whitespace, which browsers encode. */
export const PATH_PATTERN = `^[^*\\s]*(\\*[^*\\s]*){1,${MAX_PATH_WILDCARDS}}$`;

/** Maximum number of named path patterns per project. */
export const MAX_PATH_PATTERNS = 20;

export const isPathPattern = (filter: string): boolean => filter.includes('*');

/** Returns true if a pattern is compared with the path and its query, rather than with the path only. */
export const includesQuery = (pattern: string): boolean => pattern.includes('?');

/**
 * Returns true if a request path matches a pattern, in which `*` stands for any characters, including none. The time
 * doesn't depend on the pattern's form: each part is searched once.
 */
export function matchesPathPattern(pattern: string, requestPath: string): boolean {
  const path = includesQuery(pattern) ? requestPath : requestPath.split('?', 1)[0]!;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let position = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return path.length - last.length >= position && path.endsWith(last);
}
