import type { HeaderMap, HeaderValue } from './types.js';

/** Maximum path length in characters. The instance rejects longer paths. */
export const MAX_PATH_LENGTH = 8_192;
/** Maximum number of headers per message and of values per header. */
const MAX_HEADERS = 200;
const MAX_VALUE_LENGTH = 8_192;
/** Matches headers that help identify the sender. They take precedence if a request has too many headers. */
const IDENTITY_HEADERS = /^(?:user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$/i;

export function limitHeaderNames(headers: HeaderMap): string[] {
  const names = Object.keys(headers);
  if (names.length <= MAX_HEADERS) return names;
  const [identity, others] = [true, false].map((isIdentity) =>
    names.filter((name) => IDENTITY_HEADERS.test(name) === isIdentity),
  );
  return [...identity!, ...others!].slice(0, MAX_HEADERS);
}

export function limitHeaderValue(value: HeaderValue): HeaderValue {
  if (typeof value === 'string') return value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
  return Array.isArray(value)
    ? value.slice(0, MAX_HEADERS).map((item: string) => limitHeaderValue(item) as string)
    : value;
}
