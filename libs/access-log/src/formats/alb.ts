import { roundToMicroseconds } from '../json-values.js';
import { LogFields } from '../log-fields.js';
import type { ParsedLine } from '../log-line.js';
import { decodeUtf8, readQuoted, unescapeField } from '../quoted-field.js';
import type { TextFormat } from './log-format.js';

const START = /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+:\d+ /;
/** Number of fields up to the user agent. Newer versions of the format contain more. */
const MIN_FIELDS = 14;

/**
 * AWS Application Load Balancer
 * (docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html). AWS appends new fields
 * at the end, where they are ignored.
 */
export const alb: TextFormat = {
  kind: 'text',
  name: 'alb',
  title: 'AWS Application Load Balancer',
  verifiedBy: 'addresses',
  limits: 'Headers are limited to the user agent.',
  recognizes: (text) => START.test(text),
  open: () => read,
};

function read(text: string): ParsedLine {
  const texts = START.test(text) ? splitFields(text) : null;
  if (texts === null || texts.length < MIN_FIELDS) return { reason: 'not a load balancer entry' };
  const [, ended, , client, , waiting, target, response, status, , , sent, request, userAgent] = texts;
  if (request!.startsWith('- ')) return { leftOut: 'malformed requests' };
  const fields = new LogFields();
  // The client always has a port, but IPv6 addresses may lack brackets.
  fields.set('client', client!.slice(0, client!.lastIndexOf(':')));
  fields.set('time', texts[21] ?? '');
  fields.set('time', ended!);
  fields.set('request', request!);
  fields.set('status', status!);
  fields.set('sent', sent!);
  fields.set({ header: 'user-agent' }, userAgent!);
  fields.set('server', texts[18] ?? '');
  fields.set('milliseconds', String(sumSeconds([waiting!, target!, response!]) ?? ''));
  return fields.line();
}

/** Splits a line at spaces outside of quotes. Returns null if a quote isn't closed. */
function splitFields(text: string): string[] | null {
  const texts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quoted = text[at] === '"' ? readQuoted(text, at) : null;
    if (text[at] === '"' && quoted === null) return null;
    const blank = text.indexOf(' ', quoted?.end ?? at);
    const end = blank === -1 ? text.length : blank;
    texts.push(quoted === null ? text.slice(at, end) : decodeUtf8(unescapeField(quoted.raw)));
    at = end + 1;
  }
  return texts;
}

/**
 * Returns the sum in milliseconds, or undefined if a duration is -1. In that case, the request wasn't forwarded or
 * didn't get a response.
 */
function sumSeconds(seconds: string[]): number | undefined {
  if (!seconds.every((text) => /^\d{1,9}(?:\.\d{1,9})?$/.test(text))) return undefined;
  return roundToMicroseconds(seconds.reduce((sum, text) => sum + Number(text) * 1_000, 0));
}
