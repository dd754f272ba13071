import { firstValue } from '../json-keys.js';
import { toParsedLine } from '../json-line.js';
import { toMilliseconds, decodePercent, toText } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { restoreSpaces } from './iis.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * CloudFront standard logging (v2) as JSON
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html).
 *
 * AWS doesn't document the keys, so the parser accepts `cs(User-Agent)`, `cs-user-agent` and `cs_user_agent`.
 */
export const cloudFrontJson: JsonFormat = {
  kind: 'json',
  name: 'cloudfront-json',
  title: 'CloudFront, standard log (v2) as JSON',
  verifiedBy: 'addresses',
  limits:
    "Headers are limited to user agent, referer and X-Forwarded-For. AWS doesn't document the field names, so the names from the tab-separated log are accepted with hyphens, underscores or parentheses.",
  recognizes: (entry) => 'cs-method' in entry || 'cs_method' in entry,
  read,
};

function spellings(name: string): string[] {
  const underscores = name.replaceAll('-', '_');
  const [start = '', ...rest] = name.split('-');
  const header = rest.map((part) => `${part[0]!.toUpperCase()}${part.slice(1)}`).join('-');
  return [name, underscores, `${start}(${header})`];
}

const KEYS = {
  client: spellings('c-ip'),
  method: spellings('cs-method'),
  stem: spellings('cs-uri-stem'),
  query: spellings('cs-uri-query'),
  // `x-host-header` comes first, because `cs(Host)` is the distribution's domain name.
  host: [...spellings('x-host-header'), ...spellings('cs-host')],
  status: spellings('sc-status'),
  size: spellings('sc-content-len'),
  cache: spellings('x-edge-result-type'),
  seconds: spellings('time-taken'),
  userAgent: spellings('cs-user-agent'),
  referer: spellings('cs-referer'),
  forwardedFor: spellings('x-forwarded-for'),
  contentType: spellings('sc-content-type'),
  id: spellings('x-edge-request-id'),
  timestamp: ['timestamp(ms)', 'timestamp_ms', 'timestamp-ms', 'timestamp'],
};

function read(entry: Entry): ParsedLine {
  const value = (field: keyof typeof KEYS): unknown => firstValue(entry, KEYS[field]);
  // IIS logs converted to JSON use the same keys.
  const isIisLog = 's-ip' in entry || 's_ip' in entry;
  return toParsedLine({
    time: value('timestamp') ?? `${toText(entry['date'])}T${toText(entry['time'])}Z`,
    client: value('client'),
    method: value('method'),
    target: restorePercentSigns(value('stem')),
    query: restorePercentSigns(value('query')),
    host: value('host'),
    status: value('status'),
    size: value('size'),
    cache: value('cache'),
    milliseconds: toMilliseconds(value('seconds'), 's'),
    userAgent: isIisLog ? restoreSpaces(toText(value('userAgent')) ?? '') : decode(value('userAgent')),
    referer: restorePercentSigns(value('referer')),
    forwardedFor: decode(value('forwardedFor')),
    contentType: decode(value('contentType')),
    id: value('id'),
  });
}

/** Restores the requested URL, in which CloudFront encodes `%` as `%25`. */
const restorePercentSigns = (value: unknown): string | undefined =>
  toText(value)?.replaceAll(/%25([\dA-Fa-f]{2})/g, '%$1');

/** Decodes percent-encoding. Some user agents are encoded twice. */
function decode(value: unknown): string | undefined {
  const once = decodePercent(toText(value) ?? '');
  return once.includes('%20') ? decodePercent(once) : once;
}
