import type { Visit } from '../../api/client.js';
import { quoteForShell } from '../../format/quote-for-shell.js';

/** Placeholder that clients send instead of sensitive values. */
export const REDACTED = '[redacted]';

/** Connection headers, which curl sets itself. */
const CONNECTION_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

/** Returns a curl command that repeats the visit's request, without its redacted headers. */
export function toCurlCommand({ visit }: Visit, site: string | null): string {
  const host = headerValues(visit, 'host')[0];
  const origin = site === null ? `https://${host ?? 'example.com'}` : new URL(site).origin;
  const lines = [`curl -i ${quoteForShell(origin + visit.request_path)}`];
  // curl sends any -X value unchanged, even if it isn't a valid method.
  if (visit.request_method !== 'GET') lines[0] += ` -X ${quoteForShell(visit.request_method)}`;
  for (const [name, values] of Object.entries(visit.request_headers)) {
    if (CONNECTION_HEADERS.has(name.toLowerCase())) continue;
    for (const value of [values].flat()) {
      if (value != null && value !== REDACTED) lines.push(`-H ${quoteForShell(`${name}: ${value}`)}`);
    }
  }
  return lines.join(' \\\n  ');
}

function headerValues({ request_headers: headers }: Visit['visit'], name: string): string[] {
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => value != null)
    .map(String);
}
