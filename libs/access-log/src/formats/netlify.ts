import { firstOf } from '../json-keys.js';
import { lineOf } from '../json-line.js';
import { millisecondsOf, textOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * Traffic records of Netlify log drains (docs.netlify.com/manage/monitoring/log-drains).
 *
 * Netlify doesn't document the keys, so the usual spellings are accepted.
 */
export const netlify: JsonFormat = {
  kind: 'json',
  name: 'netlify',
  title: 'Netlify, log drain',
  verifiedBy: 'addresses',
  limits:
    "Only the headers user agent and referer. A drain that excludes personally identifiable information has no addresses, and can't be read. Netlify doesn't document the field names: map others with --map.",
  recognizes: (entry) => 'log_type' in entry || ('site_id' in entry && 'status_code' in entry),
  read,
};

function read(entry: Entry): ParsedLine {
  const type = textOf(entry['log_type']);
  if (type !== undefined && !/traffic/.test(type)) return { leftOut: 'not a record of traffic' };
  if (textOf(entry['client_ip']) === undefined) {
    return { reason: 'no client_ip: the drain excludes personally identifiable information' };
  }
  return lineOf({
    time: entry['timestamp'],
    client: entry['client_ip'],
    method: entry['method'],
    target: firstOf(entry, ['url', 'path']),
    query: firstOf(entry, ['query', 'query_string']),
    host: firstOf(entry, ['host', 'domain']),
    status: firstOf(entry, ['status_code', 'status']),
    milliseconds: millisecondsOf(firstOf(entry, ['duration', 'duration_ms']), 'ms'),
    userAgent: entry['user_agent'],
    referer: firstOf(entry, ['referrer', 'referer']),
    contentType: entry['content_type'],
    id: entry['request_id'],
  });
}
