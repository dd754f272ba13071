/** Header values by lowercase name. The object has no prototype, so `__proto__` is an ordinary name. */
export type HeaderMap = Record<string, string>;

/**
 * Normalizes request headers to lowercase names and string values. Never throws.
 *
 * Accepts strings, numbers, booleans and arrays of these. All other values are dropped, including `null` and empty
 * arrays. Arrays and headers whose names only differ in case are joined with `, ` in their original order (RFC 9110
 * section 5.3). Values are trimmed. Obsolete line folding is replaced with a single space (RFC 9112 section 5.2).
 */
export function normalizeHeaders(raw: Record<string, unknown>): HeaderMap {
  const headers = Object.create(null) as HeaderMap;
  for (const name of Object.keys(raw)) {
    const value = toHeaderText(raw[name]);
    if (value === null) continue;
    const key = name.toLowerCase();
    const existing = headers[key];
    headers[key] = existing === undefined ? value : `${existing}, ${value}`;
  }
  return headers;
}

function toHeaderText(value: unknown): string | null {
  if (typeof value === 'string') return normalizeValue(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  const texts: string[] = [];
  for (const item of value) {
    const text = Array.isArray(item) ? null : toHeaderText(item);
    if (text !== null) texts.push(text);
  }
  return texts.length === 0 ? null : texts.join(', ');
}

function normalizeValue(value: string): string {
  return (value.includes('\n') ? unfoldLines(value) : value).trim();
}

/** Unfolds line by line, because the regular expression `[ \t]*\r?\n` takes quadratic time on long runs of spaces. */
function unfoldLines(value: string): string {
  const lines = value.split('\n');
  for (let index = 0, isContinued = false; index < lines.length; index++) {
    const line = isContinued ? lines[index]!.trimStart() : lines[index]!;
    isContinued = isContinuation(lines[index + 1]);
    lines[index] = isContinued ? `${line.trimEnd()} ` : index < lines.length - 1 ? `${line}\n` : line;
  }
  return lines.join('');
}

function isContinuation(line: string | undefined): boolean {
  return line !== undefined && (line.startsWith(' ') || line.startsWith('\t'));
}
