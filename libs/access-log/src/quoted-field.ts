const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f', '"': '"', '\\': '\\' };

/** Whether a text stands for a missing value: Fastly and Varnish write `(null)`. */
export const isMissing = (text: string): boolean => text === '' || text === '-' || text === '(null)';

interface QuotedField {
  /** Between the quotes, as written. */
  raw: string;
  /** Position behind the closing quote. */
  end: number;
}

/**
 * Reads a field in double quotes that opens at `start`. It closes at a quote that isn't escaped and is followed by
 * a space or the line's end: some servers write quotes within a user agent as they are.
 *
 * @param mayEndOpen a field that isn't closed reaches to the line's end.
 * @returns null when no quote opens at `start`, or none closes.
 */
export function readQuoted(text: string, start: number, mayEndOpen = false): QuotedField | null {
  if (text[start] !== '"') return null;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"' && (at + 1 === text.length || text[at + 1] === ' ' || text[at + 1] === '\t')) {
      return { raw: text.slice(start + 1, at), end: at + 1 };
    }
  }
  return mayEndOpen ? { raw: text.slice(start + 1), end: text.length } : null;
}

/**
 * Undoes the escapes of Apache (`\"`, `\\`, `\t`, `\xHH`) and of nginx (`\xHH`).
 *
 * @param text one character a byte (latin1), as is the result.
 */
export function unescapeField(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/gs, (escape, hex: string | undefined, character: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return ESCAPES[character] ?? escape;
  });
}

/** The bytes of a text with one character a byte. */
function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  // Uint8Array.from takes ten times as long.
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text of a field's bytes: UTF-8, or latin1 where they aren't. */
export function decodeBytes(bytes: string): string {
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(latin1Bytes(bytes));
  } catch {
    return bytes;
  }
}

/** A text's bytes in UTF-8, one character a byte. */
export function utf8Bytes(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
