/** Maximum number of bytes shown as text. In hexadecimal, half as many are shown. */
const MAX_BYTES = 64 * 1024;

interface ReadBytes {
  text: string;
  /** If false, `text` contains hexadecimal digits. */
  isText: boolean;
  isCut: boolean;
}

/** Formats bytes for display: JSON is indented, other UTF-8 is unchanged, and anything else becomes hexadecimal. */
export function readBytes(base64: string): ReadBytes {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const isCut = bytes.length > MAX_BYTES;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text: (isCut ? text : inLines(text)).slice(0, MAX_BYTES), isText: true, isCut };
  } catch {
    const digits = [...bytes.subarray(0, MAX_BYTES / 2)].map((byte) => byte.toString(16).padStart(2, '0'));
    return { text: digits.join(' '), isText: false, isCut: bytes.length > MAX_BYTES / 2 };
  }
}

function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
