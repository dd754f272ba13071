/** Matches a JSON escape for NUL or for a surrogate, neither of which PostgreSQL can store as text. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i;

/** Replaces NUL and lone surrogates, which PostgreSQL can't store, with U+FFFD. */
export function wellFormedText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** Returns true if a string or name in JSON text may contain characters that PostgreSQL can't store. */
export const isSuspicious = (json: string): boolean => json.includes(String.raw`\u`) && SUSPICIOUS.test(json);

/** Applies {@link wellFormedText} to every string and name in JSON text. */
export const wellFormedJson = (json: string): string =>
  isSuspicious(json) ? JSON.stringify(postgresValue(JSON.parse(json))) : json;

function postgresValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(postgresValue);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [wellFormedText(name), postgresValue(item)]));
}
