/** Lower-cased header name → value. Nothing is inherited, so a header called `__proto__` is only a header. */
export type HeaderMap = Record<string, string>;

/**
 * Brings posted request headers into one shape: names in lower case, one string per name.
 *
 * Takes strings, numbers, booleans and arrays of those; `null`, `undefined` and empty arrays count as absent, any other
 * type is left out (the contract's schema has refused it before). Arrays, and names that differ only by case, are joined
 * with `, ` in the order given (RFC 9110 section 5.3). Values are trimmed, obsolete line folding becomes one space
 * (RFC 9112 section 5.2). Never throws.
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

/** By lines rather than by a regular expression: `[ \t]*\r?\n` takes quadratic time on long runs of spaces. */
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
