import { lineOf } from '../json-line.js';
import { millisecondsOf, percentDecoded, textOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * Akamai DataStream 2, JSON (techdocs.akamai.com/datastream2/docs/data-set-parameters). All values are strings. Spaces
 * and non-ASCII characters are percent-encoded. `reqPath` may lack its leading slash.
 */
export const akamai: JsonFormat = {
  kind: 'json',
  name: 'akamai',
  title: 'Akamai DataStream 2, JSON',
  verifiedBy: 'addresses',
  limits:
    "Only the headers user agent, referer and X-Forwarded-For. Signatures can't be read, because a custom field combines several values in one text. The duration is turnaround plus transfer time.",
  recognizes: (entry) => 'reqMethod' in entry && 'cliIP' in entry,
  read,
};

function read(entry: Entry): ParsedLine {
  const path = textOf(entry['reqPath']) ?? '';
  const parts = ['turnAroundTimeMSec', 'transferTimeMSec'].map((name) => millisecondsOf(entry[name], 'ms'));
  const known = parts.filter((part) => part !== undefined);
  return lineOf({
    time: entry['reqTimeSec'],
    client: entry['cliIP'],
    method: entry['reqMethod'],
    target: path.startsWith('/') || path === '*' ? path : `/${path}`,
    query: entry['queryStr'],
    host: entry['reqHost'],
    status: entry['statusCode'],
    size: entry['rspContentLen'],
    milliseconds: known.length === 0 ? undefined : known.reduce((sum, part) => sum + part, 0),
    userAgent: percentDecoded(textOf(entry['UA']) ?? ''),
    referer: entry['referer'],
    forwardedFor: percentDecoded(textOf(entry['xForwardedFor']) ?? ''),
    contentType: percentDecoded(textOf(entry['rspContentType']) ?? ''),
    id: entry['reqId'],
  });
}
