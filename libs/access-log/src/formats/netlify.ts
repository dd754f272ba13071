import { firstValue } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { toMilliseconds, toText } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * Traffic records of Netlify log drains (docs.netlify.com/manage/monitoring/log-drains).
 *
 * Netlify doesn't document the keys, so the parser accepts common spellings.
 */
export const netlify: JsonFormat = {
  kind: 'json',
  name: 'netlify',
  title: 'Netlify, log drain',
  verifiedBy: 'addresses',
  limits:
    "Headers are limited to user agent and referer. A drain that excludes personally identifiable information can't be read, because it contains no addresses. Netlify doesn't document the field names, so you may have to map them with --map.",
  recognizes: (entry) => 'log_type' in entry || ('site_id' in entry && 'status_code' in entry),
  read,
};

function read(entry: Entry): ParsedLine {
  const type = toText(entry['log_type']);
  if (type !== undefined && !/traffic/.test(type)) return { leftOut: 'records other than traffic' };
  if (toText(entry['client_ip']) === undefined) {
    return { reason: 'no client_ip: the drain excludes personally identifiable information' };
  }
  return toParsedLine({
    time: entry['timestamp'],
    client: entry['client_ip'],
    method: entry['method'],
    target: firstValue(entry, ['url', 'path']),
    query: firstValue(entry, ['query', 'query_string']),
    host: firstValue(entry, ['host', 'domain']),
    status: firstValue(entry, ['status_code', 'status']),
    milliseconds: toMilliseconds(firstValue(entry, ['duration', 'duration_ms']), 'ms'),
    userAgent: entry['user_agent'],
    referer: firstValue(entry, ['referrer', 'referer']),
    contentType: entry['content_type'],
    id: entry['request_id'],
  });
}
