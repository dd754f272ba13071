import type { Entry } from './formats/log-format.js';
import { textOf } from './json-values.js';
import { isMissing } from './quoted-field.js';

/** Web Bot Auth headers. Custom log formats use various keys for them. */
const SIGNATURE_HEADERS = new Set(['signature', 'signature-input', 'signature-agent']);
const HEADER_START = /^(?:http|request|req)-/;

/** Returns the first value that isn't missing. */
export function firstOf(entry: Entry, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = entry[key];
    if (value !== undefined && value !== null && !(typeof value === 'string' && isMissing(value))) return value;
  }
  return undefined;
}

export const hasOne = (entry: Entry, keys: readonly string[]): boolean => keys.some((key) => entry[key] !== undefined);

/**
 * Returns the signature headers by their standard names. Accepts keys such as `http_signature_input`, `Signature-Input`
 * and `req_signature`.
 */
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
