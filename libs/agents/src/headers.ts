/** Header values by lowercase name. Has no prototype, so `__proto__` is an ordinary name. */
export type HeaderMap = Record<string, string>;

/**
 * Normalizes request headers to lowercase names with one string each. Never throws.
 *
 * Accepts strings, numbers, booleans and arrays of those. `null`, `undefined` and empty arrays count as absent. Other
 * types are dropped, although the API schema already rejects them. Arrays, and names that only differ in case, are
 * joined with `, ` in their original order (RFC 9110 section 5.3). Values are trimmed. Obsolete line folding becomes
 * one space (RFC 9112 section 5.2).
 */
export function normalizeHeaders(raw: Record<string, unknown>): HeaderMap {
  const headers = Object.create(null) as HeaderMap;
  for (const name of Object.keys(raw)) {
    const value = headerText(raw[name]);
    if (value === null) continue;
    const key = name.toLowerCase();
    const earlier = headers[key];
    headers[key] = earlier === undefined ? value : `${earlier}, ${value}`;
  }
  return headers;
}

function headerText(value: unknown): string | null {
  if (typeof value === 'string') return cleaned(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  const texts: string[] = [];
  for (const item of value) {
    const text = Array.isArray(item) ? null : headerText(item);
    if (text !== null) texts.push(text);
  }
  return texts.length === 0 ? null : texts.join(', ');
}

function cleaned(value: string): string {
  return (value.includes('\n') ? unfolded(value) : value).trim();
}

/** Unfolds line by line. The regular expression `[ \t]*\r?\n` would need quadratic time for long runs of spaces. */
function unfolded(value: string): string {
  const lines = value.split('\n');
  for (let index = 0, continued = false; index < lines.length; index++) {
    const line = continued ? lines[index]!.trimStart() : lines[index]!;
    continued = isContinuation(lines[index + 1]);
    lines[index] = continued ? `${line.trimEnd()} ` : index < lines.length - 1 ? `${line}\n` : line;
  }
  return lines.join('');
}

function isContinuation(line: string | undefined): boolean {
  return line !== undefined && (line.startsWith(' ') || line.startsWith('\t'));
}
