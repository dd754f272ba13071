import type { Visit } from '../api/client.js';

/** The first value of a request's header, in whatever case it came; the name in lower case. */
export function headerOf({ request_headers: headers }: Visit['visit'], name: string): string | undefined {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = key === undefined ? undefined : [headers[key]].flat()[0];
  return value == null ? undefined : String(value);
}
