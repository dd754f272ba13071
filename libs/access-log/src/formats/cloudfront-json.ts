import { firstOf } from '../json-keys.js';
import { lineOf } from '../json-line.js';
import { millisecondsOf, percentDecoded, textOf } from '../json-values.js';
import type { ParsedLine } from '../log-line.js';
import { withBlanks } from './iis.js';
import type { Entry, JsonFormat } from './log-format.js';

/**
 * CloudFront standard logging (v2) as JSON
 * (docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html).
 *
 * AWS doesn't document the keys, so `cs(User-Agent)`, `cs-user-agent` and `cs_user_agent` are all accepted.
 */
export const cloudFrontJson: JsonFormat = {
  kind: 'json',
  name: 'cloudfront-json',
  title: 'CloudFront, standard log (v2) as JSON',
  verifiedBy: 'addresses',
  limits:
    "Only the headers user agent, referer and X-Forwarded-For. AWS doesn't document the field names: those of the tab-separated log are read, with hyphens, underscores or parentheses.",
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
  seconds: spellings('time-taken'),
  userAgent: spellings('cs-user-agent'),
  referer: spellings('cs-referer'),
  forwardedFor: spellings('x-forwarded-for'),
  contentType: spellings('sc-content-type'),
  id: spellings('x-edge-request-id'),
  timestamp: ['timestamp(ms)', 'timestamp_ms', 'timestamp-ms', 'timestamp'],
};

function read(entry: Entry): ParsedLine {
  const value = (field: keyof typeof KEYS): unknown => firstOf(entry, KEYS[field]);
  // IIS logs that were converted to JSON have the same keys.
  const isOfIis = 's-ip' in entry || 's_ip' in entry;
  return lineOf({
    time: value('timestamp') ?? `${textOf(entry['date'])}T${textOf(entry['time'])}Z`,
    client: value('client'),
    method: value('method'),
    target: percentSigns(value('stem')),
    query: percentSigns(value('query')),
    host: value('host'),
    status: value('status'),
    size: value('size'),
    milliseconds: millisecondsOf(value('seconds'), 's'),
    userAgent: isOfIis ? withBlanks(textOf(value('userAgent')) ?? '') : decoded(value('userAgent')),
    referer: percentSigns(value('referer')),
    forwardedFor: decoded(value('forwardedFor')),
    contentType: decoded(value('contentType')),
    id: value('id'),
  });
}

/** Restores the requested URL. CloudFront encodes `%` as `%25`. */
const percentSigns = (value: unknown): string | undefined => textOf(value)?.replaceAll(/%25([\dA-Fa-f]{2})/g, '%$1');

/** Decodes percent-encoding. Some user agents are encoded twice. */
function decoded(value: unknown): string | undefined {
  const once = percentDecoded(textOf(value) ?? '');
  return once.includes('%20') ? percentDecoded(once) : once;
}
