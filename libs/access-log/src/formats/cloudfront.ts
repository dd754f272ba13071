import { columnNames, openColumns, decodePercent, type ColumnsDialect } from '../columns.js';
import { lookUpMeaning, type Meaning } from '../log-fields.js';
import type { TextFormat } from './log-format.js';

const USER_AGENT = { header: 'user-agent' };
const REFERER = { header: 'referer' };
const URLS = new Set<Meaning>(['path', 'query', REFERER]);

/** Column meanings in standard logs. `cs(Host)` is the distribution's domain name. */
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
  'x-edge-result-type': 'cache',
  'sc-content-type': { responseHeader: 'content-type' },
  'time-taken': 'seconds',
  'cs(referer)': REFERER,
  'cs(user-agent)': USER_AGENT,
  'x-forwarded-for': { header: 'x-forwarded-for' },
  'x-edge-request-id': 'id',
};

/**
 * Column meanings in real-time logs. Unlike in standard logs, `x-host-header` is the distribution's domain name and
 * `cs-host` is the requested host.
 */
const REAL_TIME: Record<string, Meaning> = {
  ...STANDARD,
  timestamp: 'time',
  'cs-host': 'host',
  'x-host-header': 'server',
  'cs-referer': REFERER,
  'cs-user-agent': USER_AGENT,
};

/** Default columns of standard logs, used if there are no header lines. */
const STANDARD_COLUMNS = columnNames(
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end',
);
const REAL_TIME_COLUMNS = columnNames(
  'timestamp c-ip time-to-first-byte sc-status sc-bytes cs-method cs-protocol cs-host cs-uri-stem cs-bytes x-edge-location x-edge-request-id x-host-header time-taken cs-protocol-version c-ip-version cs-user-agent cs-referer cs-cookie cs-uri-query x-edge-response-result-type x-forwarded-for ssl-protocol ssl-cipher x-edge-result-type',
);

const standard: ColumnsDialect = {
  separator: '\t',
  meaningOf: (name) => lookUpMeaning(STANDARD, name),
  decode,
  defaultColumns: STANDARD_COLUMNS,
  matches: (names) => names.includes('x-edge-location') && names.includes('date'),
};

const realTime: ColumnsDialect = {
  separator: '\t',
  meaningOf: (name) => lookUpMeaning(REAL_TIME, name),
  decode,
  defaultColumns: REAL_TIME_COLUMNS,
  matches: (names) => names.includes('timestamp') && names.includes('c-ip'),
};

/**
 * CloudFront standard logs. Times are in UTC
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html).
 */
export const cloudFront: TextFormat = {
  kind: 'text',
  name: 'cloudfront',
  title: 'CloudFront, standard log',
  verifiedBy: 'addresses',
  limits: 'Headers are limited to user agent, referer and X-Forwarded-For.',
  recognizes: (text) =>
    text.startsWith('#Version:') || isNamed(text, standard) || /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t/.test(text),
  open: () => openColumns(standard),
};

/** CloudFront real-time logs (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html). */
export const cloudFrontRealTime: TextFormat = {
  kind: 'text',
  name: 'cloudfront-real-time',
  title: 'CloudFront, real-time log',
  verifiedBy: 'addresses',
  limits:
    'Headers are limited to user agent, referer and X-Forwarded-For, because AWS truncates others at 800 bytes. If you selected custom columns, list them with --fields.',
  recognizes: (text) => isNamed(text, realTime) || /^\d{10}\.\d{3}\t/.test(text),
  open: () => openColumns(realTime),
};

const isNamed = (text: string, { matches: isOwn }: ColumnsDialect): boolean =>
  text.startsWith('#Fields:') && isOwn(columnNames(text));

/**
 * Decodes a field. In URLs, only `%25` is decoded, because CloudFront encodes each `%` of the requested URL that way.
 * Some user agents are encoded twice.
 */
function decode(text: string, meaning: Meaning): string {
  if (!text.includes('%')) return text;
  if (URLS.has(meaning)) return text.replaceAll(/%25([\dA-Fa-f]{2})/g, '%$1');
  const once = decodePercent(text);
  return once.includes('%20') ? decodePercent(once) : once;
}
