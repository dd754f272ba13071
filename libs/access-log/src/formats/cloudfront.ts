import { columnNames, openColumns, percentDecoded, type ColumnsDialect } from '../columns.js';
import { meaningIn, type Meaning } from '../log-fields.js';
import type { TextFormat } from './log-format.js';

const USER_AGENT = { header: 'user-agent' };
const REFERER = { header: 'referer' };
const URLS = new Set<Meaning>(['path', 'query', REFERER]);

/** Meanings of the columns in standard logs. `cs(Host)` is the distribution's domain name. */
const STANDARD: Record<string, Meaning> = {
  date: 'date',
  time: 'clock',
  'c-ip': 'client',
  'cs-method': 'method',
  'x-host-header': 'host',
  'cs(host)': 'server',
  'cs-uri-stem': 'path',
  'cs-uri-query': 'query',
  'sc-status': 'status',
  'sc-bytes': 'sent',
  'sc-content-len': 'size',
  'sc-content-type': { responseHeader: 'content-type' },
  'time-taken': 'seconds',
  'cs(referer)': REFERER,
  'cs(user-agent)': USER_AGENT,
  'x-forwarded-for': { header: 'x-forwarded-for' },
  'x-edge-request-id': 'id',
};

/** Meanings of the columns in real-time logs. Compared with standard logs, the host columns are swapped. */
const REAL_TIME: Record<string, Meaning> = {
  ...STANDARD,
  timestamp: 'time',
  'cs-host': 'host',
  'x-host-header': 'server',
  'cs-referer': REFERER,
  'cs-user-agent': USER_AGENT,
};

/** Default columns, for logs without header lines. */
const STANDARD_COLUMNS = columnNames(
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end',
);
const REAL_TIME_COLUMNS = columnNames(
  'timestamp c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for ssl-protocol ssl-cipher x-edge-result-type',
);

const standard: ColumnsDialect = {
  separator: '\t',
  meaningOf: (name) => meaningIn(STANDARD, name),
  decode,
  usual: STANDARD_COLUMNS,
  isOwn: (names) => names.includes('x-edge-location') && names.includes('date'),
};

const realTime: ColumnsDialect = {
  separator: '\t',
  meaningOf: (name) => meaningIn(REAL_TIME, name),
  decode,
  usual: REAL_TIME_COLUMNS,
  isOwn: (names) => names.includes('timestamp') && names.includes('c-ip'),
};

/**
 * CloudFront standard logs, with times in UTC
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html).
 */
export const cloudFront: TextFormat = {
  kind: 'text',
  name: 'cloudfront',
  title: 'CloudFront, standard log',
  verifiedBy: 'addresses',
  limits: 'Only the headers user agent, referer and X-Forwarded-For.',
  recognizes: (text) =>
    text.startsWith('#Version:') || isNamed(text, standard) || /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t/.test(text),
  open: () => openColumns(standard),
};

/** CloudFront real-time logs: docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html */
export const cloudFrontRealTime: TextFormat = {
  kind: 'text',
  name: 'cloudfront-real-time',
  title: 'CloudFront, real-time log',
  verifiedBy: 'addresses',
  limits:
    'Only the headers user agent, referer and X-Forwarded-For, because others are cut at 800 bytes. If you selected the columns, list them with --fields.',
  recognizes: (text) => isNamed(text, realTime) || /^\d{10}\.\d{3}\t/.test(text),
  open: () => openColumns(realTime),
};

const isNamed = (text: string, { isOwn }: ColumnsDialect): boolean =>
  text.startsWith('#Fields:') && isOwn(columnNames(text));

/**
 * Decodes a field. CloudFront encodes `%` as `%25`. Undoing that restores the requested URL. Some user agents are
 * encoded twice.
 */
function decode(text: string, meaning: Meaning): string {
  if (!text.includes('%')) return text;
  if (URLS.has(meaning)) return text.replaceAll(/%25([\dA-Fa-f]{2})/g, '%$1');
  const once = percentDecoded(text);
  return once.includes('%20') ? percentDecoded(once) : once;
}
