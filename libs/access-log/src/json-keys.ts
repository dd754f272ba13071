import type { Entry } from './formats/log-format.js';
import { toText } from './json-values.js';
import { isMissing } from './quoted-field.js';

const NAMED_HEADERS = new Set([
  'signature',
  'signature-input',
  'signature-agent',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
]);
const HEADER_START = /^(?:http|request|req)-/;

/** Returns the value of the first key that isn't missing, null, empty or a dash. */
export function firstValue(entry: Entry, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = entry[key];
    if (value !== undefined && value !== null && !(typeof value === 'string' && isMissing(value))) return value;
  }
  return undefined;
}

export const hasAny = (entry: Entry, keys: readonly string[]): boolean => keys.some((key) => entry[key] !== undefined);

/**
 * Returns Web Bot Auth and MCP headers by their standard names. Custom log formats use various keys for them, such as
 * `http_signature_input`, `Mcp-Method` and `req_signature`.
 */
export function namedHeaders(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    if (!/signature/i.test(key) && !/mcp/i.test(key)) continue;
    const value = toText(entry[key]);
    const name = key.toLowerCase().replaceAll('_', '-').replace(HEADER_START, '');
    if (value !== undefined && NAMED_HEADERS.has(name)) headers[name] = value;
  }
  return headers;
}
