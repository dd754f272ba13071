import { toParsedLine } from '../json-line.js';
import { toMilliseconds, decodePercent, toText } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * Akamai DataStream 2 in JSON (techdocs.akamai.com/datastream2/docs/data-set-parameters). All values are strings.
 * Spaces and non-ASCII characters are percent-encoded. `reqPath` may lack a leading slash.
 */
export const akamai: JsonFormat = {
  kind: 'json',
  name: 'akamai',
  title: 'Akamai DataStream 2, JSON',
  verifiedBy: 'addresses',
  limits:
    "Headers are limited to user agent, referer and X-Forwarded-For. Signatures can't be read, because a custom field combines several values in one string. The duration is the turnaround time plus the transfer time.",
  recognizes: (entry) => 'reqMethod' in entry && 'cliIP' in entry,
  read,
};

/** Values of `cacheStatus`. */
const CACHE_RESULTS = { '0': 'miss', '1': 'hit' } as const;

function read(entry: Entry): ParsedLine {
  const path = toText(entry['reqPath']) ?? '';
  const parts = ['turnAroundTimeMSec', 'transferTimeMSec'].map((name) => toMilliseconds(entry[name], 'ms'));
  const durations = parts.filter((part) => part !== undefined);
  return toParsedLine({
    time: entry['reqTimeSec'],
    client: entry['cliIP'],
    method: entry['reqMethod'],
    target: path.startsWith('/') || path === '*' ? path : `/${path}`,
    query: entry['queryStr'],
    host: entry['reqHost'],
    status: entry['statusCode'],
    size: entry['rspContentLen'],
    cache: CACHE_RESULTS[toText(entry['cacheStatus']) as keyof typeof CACHE_RESULTS],
    milliseconds: durations.length === 0 ? undefined : durations.reduce((sum, part) => sum + part, 0),
    userAgent: decodePercent(toText(entry['UA']) ?? ''),
    referer: entry['referer'],
    forwardedFor: decodePercent(toText(entry['xForwardedFor']) ?? ''),
    contentType: decodePercent(toText(entry['rspContentType']) ?? ''),
    id: entry['reqId'],
  });
}
