import type { Entry } from './formats/log-format.js';
import { toHeaders, toText } from './json-values.js';
import { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from './payment-header-names.js';
import { isMissing } from './quoted-field.js';

const NAMED_HEADERS = new Set([
  'signature',
  'signature-input',
  'signature-agent',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  ...PAYMENT_REQUEST_HEADERS,
]);
const RESPONSE_HEADERS = new Set(PAYMENT_RESPONSE_HEADERS);
const HEADER_START = /^(?:http|request|req)-/;
const RESPONSE_START = /^(?:sent-http|upstream-http|response|resp|downstream)-/;
/** Parts of the names above. Most keys have none of them. */
const NAMED_PARTS = /signature|mcp|payment|crawler/i;
const RESPONSE_PARTS = /payment|crawler|authenticate|location/i;

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
 * Returns Web Bot Auth, MCP and payment headers of the request by their standard names. Custom log formats use various
 * keys for them, such as `http_signature_input`, `Mcp-Method` and `req_signature`.
 */
export function namedHeaders(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    if (!NAMED_PARTS.test(key)) continue;
    const value = toText(entry[key]);
    const name = toHeaderName(key).replace(HEADER_START, '');
    if (value !== undefined && NAMED_HEADERS.has(name)) headers[name] = value;
  }
  return headers;
}

/**
 * Returns payment headers of the response by their standard names, for keys such as `sent_http_crawler_price` and
 * `Crawler-Price`. A `location` without a prefix isn't a header.
 */
export function namedResponseHeaders(entry: Entry): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const key of Object.keys(entry)) {
    if (!RESPONSE_PARTS.test(key) || key.toLowerCase() === 'location') continue;
    const value = toText(entry[key]);
    const name = toHeaderName(key).replace(RESPONSE_START, '');
    if (value !== undefined && RESPONSE_HEADERS.has(name)) headers[name] = value;
  }
  return headers;
}

/** Returns the payment headers among all headers of a response. */
export const paymentResponseHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(toHeaders(headers)).filter(([name]) => RESPONSE_HEADERS.has(name)));

const toHeaderName = (key: string): string => key.toLowerCase().replaceAll('_', '-');
