/** Bytes that are shown. */
const MAX_BYTES = 64 * 1024;

interface ReadBytes {
  text: string;
  /** Else the text is hexadecimal digits. */
  isText: boolean;
  isCut: boolean;
}

/** Bytes for people: JSON in lines, other UTF-8 as it is, and anything else as hexadecimal digits. */
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
