import type { Visit } from '../api/client.js';

/** Returns the first value of a request header, ignoring the case of reported names. @param name in lowercase. */
export function headerOf({ request_headers: headers }: Visit['visit'], name: string): string | undefined {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = key === undefined ? undefined : [headers[key]].flat()[0];
  return value == null ? undefined : String(value);
}
