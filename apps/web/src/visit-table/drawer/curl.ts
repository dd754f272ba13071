import type { Visit } from '../../api/client.js';
import { quoted } from '../../format/shell-word.js';

/** Placeholder that clients send instead of a sensitive value. */
export const REDACTED = '[redacted]';

/** Headers of the connection, which curl sets itself. */
const OWN = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

/** Returns a curl command that sends the visit's request again. Redacted headers are left out. */
export function asCurl({ visit }: Visit, site: string | null): string {
  const host = valuesOf(visit, 'host')[0];
  const origin = site === null ? `https://${host ?? 'example.com'}` : new URL(site).origin;
  const lines = [`curl -i ${quoted(origin + visit.request_path)}`];
  // curl sends any value of -X unchanged, even if it isn't a method.
  if (visit.request_method !== 'GET') lines[0] += ` -X ${quoted(visit.request_method)}`;
  for (const [name, values] of Object.entries(visit.request_headers)) {
    if (OWN.has(name.toLowerCase())) continue;
    for (const value of [values].flat()) {
      if (value != null && value !== REDACTED) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
    }
  }
  return lines.join(' \\\n  ');
}

function valuesOf({ request_headers: headers }: Visit['visit'], name: string): string[] {
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .filter((value) => value != null)
    .map(String);
}
