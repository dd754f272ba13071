/** An escape for NUL or for half of a surrogate pair, which PostgreSQL can't hold as text. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i;

/** Replaces characters that the database can't hold, NUL and halves of surrogate pairs, by U+FFFD. */
export function wellFormedText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** Returns whether a string or name in a JSON text may contain characters that PostgreSQL can't hold. */
export const isSuspicious = (json: string): boolean => json.includes(String.raw`\u`) && SUSPICIOUS.test(json);

/** Applies {@link wellFormedText} to every string and name in a JSON text. */
export const wellFormedJson = (json: string): string =>
  isSuspicious(json) ? JSON.stringify(postgresValue(JSON.parse(json))) : json;

function postgresValue(value: unknown): unknown {
  if (typeof value === 'string') return wellFormedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(postgresValue);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [wellFormedText(name), postgresValue(item)]));
}
