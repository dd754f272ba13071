import type { HeaderMap, HeaderValue } from './types.js';

/** Maximum length of a path. The instance rejects longer ones. */
export const MAX_PATH_LENGTH = 8_192;
/** Maximum number of headers of a request or response, and of values of a header. */
const MAX_HEADERS = 200;
const MAX_VALUE_LENGTH = 8_192;
/** Headers that identify the sender. They take precedence if there are too many headers. */
const IDENTITY = /^(?:user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$/i;

export function namesWithinLimit(headers: HeaderMap): string[] {
  const names = Object.keys(headers);
  if (names.length <= MAX_HEADERS) return names;
  const [identity, others] = [true, false].map((is) => names.filter((name) => IDENTITY.test(name) === is));
  return [...identity!, ...others!].slice(0, MAX_HEADERS);
}

export function valueWithinLimit(value: HeaderValue): HeaderValue {
  if (typeof value === 'string') return value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
  return Array.isArray(value)
    ? value.slice(0, MAX_HEADERS).map((item: string) => valueWithinLimit(item) as string)
    : value;
}
