import type { HeaderValue } from './visit.schema.js';

/**
 * Returns the first value of a header, or null if it's missing.
 *
 * @param name Header name in lower case.
 */
export function getHeader(headers: Record<string, HeaderValue> | null | undefined, name: string): string | null {
  for (const key in headers) {
    // Comparing lengths is cheap and rules out most names.
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const first = [headers[key]].flat().find((value) => value != null);
    if (first != null) return String(first);
  }
  return null;
}
