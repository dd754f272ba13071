/** An escape for NUL or for half of a surrogate pair, which PostgreSQL can't hold as text. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i;

/** PostgreSQL's text has no NUL, and no halves of surrogate pairs: both become U+FFFD. */
export function postgresText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** {@link postgresText} for every string and name in a JSON text, which is put on one line. */
export function postgresJson(json: string): string {
  if (json.includes(String.raw`\u`) && SUSPICIOUS.test(json)) return JSON.stringify(postgresValue(JSON.parse(json)));
  // Within strings a line's end is escaped.
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}

function postgresValue(value: unknown): unknown {
  if (typeof value === 'string') return postgresText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(postgresValue);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [postgresText(name), postgresValue(item)]));
}
