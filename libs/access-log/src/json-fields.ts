import type { Entry } from './formats/log-format.js';
import { toNumber, type DurationUnit } from './json-values.js';
import { isMissing } from './quoted-field.js';

/**
 * Common names for request fields, most reliable first. Sources are nginx variables, Logstash and Vector parsers, the
 * Elastic Common Schema, Datadog and pino.
 *
 * Case, `_`, `-` and spaces are ignored. Dots separate the keys of nested objects.
 */
const NAMES = {
  time: 'timeiso8601 msec @timestamp timestamp timelocal time datetime eventdatetime date ts starttime asctime',
  // The keys of each field are tried in order. `realip_remote_addr` comes first, because it's the peer even if the
  // realip module has replaced `remote_addr`.
  client:
    'realipremoteaddr remoteaddr clientip remoteip remoteaddress ip client remotehost clientaddress clientaddr ' +
    'sourceip srcip cip calleripaddress downstreamremoteaddress remote source.ip source.address client.ip ' +
    'client.address network.client.ip req.remoteaddress req.ip',
  method: 'requestmethod method httpmethod requestverb verb reqmethod req.method http.request.method http.method',
  target:
    'requesturi url path uri requestpath requesturl httpuri httppath requri documenturi originalurl req.url url.original url.path ' +
    'http.url http.target',
  query: 'args querystring query requestquery requestquerystring uriquery url.query',
  request: 'request requestline',
  host:
    'httphost host servername vhost virtualhost domain :authority authority requesthost req.headers.host ' +
    'url.domain http.host',
  status:
    'status statuscode responsestatus responsestatuscode responsecode code response httpstatus httpstatuscode ' +
    'httpresponsecode elbstatuscode respstatus res.statuscode res.status resp.status http.response.statuscode http.statuscode',
  size:
    'bodybytessent bodybytes bodybytessize responsebodysize bytessent sentbytes bytesout responsebytes ' +
    'responsesize responselength bytes size length http.response.body.bytes network.byteswritten',
  userAgent:
    'httpuseragent useragent requestuseragent requseragent clientua agent ua useragent.original http.useragent req.headers.useragent',
  referer:
    'httpreferer referer referrer httpreferrer requestreferer http.request.referrer http.referer ' +
    'req.headers.referer',
  forwardedFor:
    'httpxforwardedfor xforwardedfor forwardedfor xff httpxff proxyaddxforwardedfor req.headers.xforwardedfor',
  contentType: 'senthttpcontenttype upstreamhttpcontenttype',
  headers: 'requestheaders req.headers req.http headers',
} as const;
export type JsonField = keyof typeof NAMES;

/**
 * Checks whether a value makes sense for its field. If it doesn't, the field's next key is tried, because some keys
 * have a different meaning in other logs.
 */
const ACCEPTS: Partial<Record<JsonField, (value: unknown) => boolean>> = {
  status: (value) => toNumber(value) !== undefined,
  size: (value) => toNumber(value) !== undefined,
  headers: (value) => typeof value === 'object',
  // A name without a dot or colon is the name of a machine rather than a site.
  host: (value) => typeof value === 'string' && (/[.:]/.test(value) || value === 'localhost'),
};
const isScalar = (value: unknown): boolean => typeof value !== 'object';

/**
 * Units of durations whose names don't contain the right unit. Matomo logs `$request_time` as `generation_time_milli`,
 * but the value is in seconds.
 */
const KNOWN_UNITS = new Map<string, DurationUnit>([
  ['requesttime', 's'],
  ['generationtimemilli', 's'],
  ['event.duration', 'ns'],
]);
/** Names of durations. The unit is part of the name (`request_time_ms`) or of the value (`"duration": "12ms"`). */
const DURATION_NAME =
  /^(?:(?:http)?(?:request|response|total|process|processing|server)?(?:time|duration|latency|elapsed)(?:taken|elapsed)?|took)(?:in)?(s|secs?|seconds?|ms|msecs?|millis|milliseconds?|us|usecs?|micros|microseconds?|ns|nsecs?|nanos|nanoseconds?)?$/;
/** Names that look like durations but contain timestamps. */
const NON_DURATION_NAME =
  /^time(?:s|secs?|seconds?|ms|msecs?|millis|milliseconds?|us|usecs?|micros|microseconds?|ns|nsecs?|nanos|nanoseconds?)?$/;
const UNITS: readonly [start: string, unit: DurationUnit][] = [
  ['n', 'ns'],
  ['u', 'us'],
  ['mic', 'us'],
  ['m', 'ms'],
  ['s', 's'],
];

type Meaning = { field: JsonField; rank: number } | { unit: DurationUnit | null } | null;

const MEANINGS = new Map<string, Meaning>(
  Object.entries(NAMES).flatMap(([field, names]) =>
    names.split(' ').map((name, rank) => [name, { field: field as JsonField, rank }] as const),
  ),
);
/** Cached meanings by original key, because logs repeat the same keys on every line. */
const cachedMeanings = new Map<string, Meaning>();
const MAX_CACHED_MEANINGS = 1_000;
const MAX_DEPTH = 4;

function toMeaning(key: string): Meaning {
  const found = cachedMeanings.get(key);
  if (found !== undefined) return found;
  const name = key.toLowerCase().replaceAll(/[_\- ]/g, '');
  const meaning = MEANINGS.get(name) ?? toDuration(name);
  if (cachedMeanings.size < MAX_CACHED_MEANINGS) cachedMeanings.set(key, meaning);
  return meaning;
}

function toDuration(name: string): Meaning {
  const unit = KNOWN_UNITS.get(name);
  if (unit !== undefined) return { unit };
  const found = NON_DURATION_NAME.test(name) ? null : DURATION_NAME.exec(name);
  if (found === null) return null;
  const written = found[1];
  if (written === undefined) return { unit: null };
  return { unit: UNITS.find(([start]) => written.startsWith(start))![1] };
}

export class JsonFields {
  private readonly values: { [field in JsonField]?: unknown } = {};
  private readonly ranks: { [field in JsonField]?: number } = {};
  /** Duration and its unit. If the unit is null, the value is a string that contains the unit. */
  duration: { value: unknown; unit: DurationUnit | null } | undefined;

  constructor(entry: Entry) {
    this.add(entry, '', 1);
  }

  get(field: JsonField): unknown {
    return this.values[field];
  }

  has(field: JsonField): boolean {
    return this.values[field] !== undefined;
  }

  private add(entry: Entry, path: string, depth: number): void {
    for (const key of Object.keys(entry)) {
      const value = entry[key];
      if (value === undefined || value === null || (typeof value === 'string' && isMissing(value))) continue;
      const name = path === '' ? key : `${path}.${key}`;
      const meaning = toMeaning(name);
      if (meaning !== null && 'field' in meaning) this.addField(meaning, value);
      else if (meaning !== null && isScalar(value)) this.addDuration(value, meaning.unit);
      if (typeof value === 'object' && depth < MAX_DEPTH && !Array.isArray(value))
        this.add(value as Entry, name, depth + 1);
    }
  }

  private addField({ field, rank }: { field: JsonField; rank: number }, value: unknown): void {
    if (!(ACCEPTS[field] ?? isScalar)(value)) return;
    const before = this.ranks[field];
    if (before !== undefined && before <= rank) return;
    this.ranks[field] = rank;
    this.values[field] = value;
  }

  /** Skips numbers without a unit, because nginx logs seconds, but most other programs log milliseconds. */
  private addDuration(value: unknown, unit: DurationUnit | null): void {
    if (this.duration !== undefined || (unit === null && toNumber(value) !== undefined)) return;
    this.duration = { value, unit };
  }
}
