import type { HeaderMap, HeaderValue } from './types.js';

/** Characters of a path; the instance refuses longer ones. */
export const MAX_PATH_LENGTH = 8_192;
/** Headers of a request or a response. */
const MAX_HEADERS = 200;
/** Characters of a header's value. */
const MAX_VALUE_LENGTH = 8_192;
/** Headers that identify a sender, which stay if there are too many. */
const IDENTITY = /^(?:user-agent|from|via|signature.*)$|forwarded|original-|envoy-|ip$/i;

/** Returns the names of the headers to send. */
export function namesWithinLimit(headers: HeaderMap): string[] {
  const names = Object.keys(headers);
  if (names.length <= MAX_HEADERS) return names;
  const [identity, others] = [true, false].map((is) => names.filter((name) => IDENTITY.test(name) === is));
  return [...identity!, ...others!].slice(0, MAX_HEADERS);
}

/** Cuts a value to the limit, or each of several. */
export function valueWithinLimit(value: HeaderValue): HeaderValue {
  if (typeof value === 'string') return value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
  return Array.isArray(value)
    ? value.slice(0, MAX_HEADERS).map((item: string) => valueWithinLimit(item) as string)
    : value;
}
