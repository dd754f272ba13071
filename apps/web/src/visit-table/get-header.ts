import type { Visit } from '../api/client.js';

/** Returns a request header's first value, ignoring the case of reported names. @param name Lowercase header name. */
export function getHeader({ request_headers: headers }: Visit['visit'], name: string): string | undefined {
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : [headers[key]].flat()[0];
  return value == null ? undefined : String(value);
}
