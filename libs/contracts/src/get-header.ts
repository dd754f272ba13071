import type { HeaderValue } from './visit.schema.js';

/**
 * Returns the first value of a header, or null if it's missing.
 *
 * @param name Header name in lower case.
 */
export function getHeader(headers: Record<string, HeaderValue> | null | undefined, name: string): string | null {
  for (const key in headers) {
    // Comparing lengths is cheap and rules out most names.
    if (key.length !== name.length || (key !== name && key.toLowerCase() !== name)) continue;
    const value = headers[key];
    if (typeof value === 'string') return value;
    const first = [value].flat().find((item) => item != null);
    if (first != null) return String(first);
  }
  return null;
}
