import type { Entry } from './formats/log-format.js';
import { textOf } from './json-values.js';
import { isMissing } from './quoted-field.js';

/** Headers of Web Bot Auth, which logs with keys of one's own carry under several names. */
const SIGNATURE_HEADERS = new Set(['signature', 'signature-input', 'signature-agent']);
const HEADER_START = /^(?:http|request|req)-/;

/** Returns the value of the first key that the entry has something for. */
export function firstOf(entry: Entry, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = entry[key];
    if (value !== undefined && value !== null && !(typeof value === 'string' && isMissing(value))) return value;
  }
  return undefined;
}

/** Whether the entry has one of the keys. */
export const hasOne = (entry: Entry, keys: readonly string[]): boolean => keys.some((key) => entry[key] !== undefined);

/** Returns the signature's headers, whatever a log calls them: `http_signature_input`, `Signature-Input`, `req_signature`. */
export function signatureHeaders(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    if (!/signature/i.test(key)) continue;
    const value = textOf(entry[key]);
    const name = key.toLowerCase().replaceAll('_', '-').replace(HEADER_START, '');
    if (value !== undefined && SIGNATURE_HEADERS.has(name)) headers[name] = value;
  }
  return headers;
}
