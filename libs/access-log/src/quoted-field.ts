const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f', '"': '"', '\\': '\\' };

/** Returns true if the text represents a missing value. Fastly and Varnish log `(null)`. */
export const isMissing = (text: string): boolean => text === '' || text === '-' || text === '(null)';

interface QuotedField {
  /** Text between the quotes, still escaped. */
  raw: string;
  /** Offset of the first character after the closing quote. */
  end: number;
}

/**
 * Reads the quoted field that starts at `start`. Only an unescaped quote before a space, a tab or the end of the line
 * closes it, because some servers don't escape quotes in user agents.
 *
 * @param mayEndOpen True to accept a field without a closing quote. It ends at the end of the line.
 * @returns null if the opening quote or a required closing quote is missing.
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
 * Decodes escape sequences written by Apache (`\"`, `\\`, `\t`, `\xHH`) and nginx (`\xHH`). Input and output are Latin-1
 * strings (one character per byte).
 */
export function unescapeField(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/gs, (escape, hex: string | undefined, character: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return ESCAPES[character] ?? escape;
  });
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  // Much faster than `Uint8Array.from`.
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 bytes given as a Latin-1 string (one character per byte). Returns invalid UTF-8 unchanged. */
export function decodeUtf8(bytes: string): string {
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(latin1Bytes(bytes));
  } catch {
    return bytes;
  }
}

/** Encodes text as UTF-8 and returns the bytes as a Latin-1 string (one character per byte). */
export function encodeUtf8(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
