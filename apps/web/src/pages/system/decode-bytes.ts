/** Maximum number of bytes shown as text. Half as many are shown in hexadecimal. */
const MAX_BYTES = 64 * 1024;

interface DecodedBytes {
  text: string;
  /** False if `text` contains hexadecimal digits. */
  isText: boolean;
  isTruncated: boolean;
}

/** Decodes bytes for display. Indents JSON, leaves other UTF-8 text unchanged and converts the rest to hexadecimal. */
export function decodeBytes(base64: string): DecodedBytes {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const isTruncated = bytes.length > MAX_BYTES;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text: (isTruncated ? text : indentJson(text)).slice(0, MAX_BYTES), isText: true, isTruncated };
  } catch {
    const digits = [...bytes.subarray(0, MAX_BYTES / 2)].map((byte) => byte.toString(16).padStart(2, '0'));
    return { text: digits.join(' '), isText: false, isTruncated: bytes.length > MAX_BYTES / 2 };
  }
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
