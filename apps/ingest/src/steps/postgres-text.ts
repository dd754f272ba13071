/** An escape for NUL or for half of a surrogate pair, which PostgreSQL can't hold as text. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i;

/** PostgreSQL's text has no NUL, and no halves of surrogate pairs: both become U+FFFD. */
export function postgresText(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** Whether PostgreSQL may not hold every string and name in a JSON text. */
export const isSuspicious = (json: string): boolean => json.includes(String.raw`\u`) && SUSPICIOUS.test(json);

/** {@link postgresText} for every string and name in a JSON text. */
export const postgresJson = (json: string): string =>
  isSuspicious(json) ? JSON.stringify(postgresValue(JSON.parse(json))) : json;

function postgresValue(value: unknown): unknown {
  if (typeof value === 'string') return postgresText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(postgresValue);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [postgresText(name), postgresValue(item)]));
}
