import type { Entry } from './formats/log-format.js';
import { numberOf, type DurationUnit } from './json-values.js';
import { isMissing } from './quoted-field.js';

/**
 * Common names of request fields, most reliable first. They come from nginx variables, parsers of Logstash and Vector,
 * the Elastic Common Schema, Datadog and pino.
 *
 * Case, `_`, `-` and spaces are ignored. Dots separate the keys of nested objects.
 */
const NAMES = {
  time: 'timeiso8601 msec @timestamp timestamp timelocal time datetime eventdatetime date ts starttime asctime',
  // If the realip module replaced the address, `realip_remote_addr` is the peer.
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

/** Accepted values by field. Other values are skipped, because names can have several meanings. */
const ACCEPTS: Partial<Record<JsonField, (value: unknown) => boolean>> = {
  status: (value) => numberOf(value) !== undefined,
  size: (value) => numberOf(value) !== undefined,
  headers: (value) => typeof value === 'object',
  // A name without a dot is a machine, not a site.
  host: (value) => typeof value === 'string' && (/[.:]/.test(value) || value === 'localhost'),
};
const isScalar = (value: unknown): boolean => typeof value !== 'object';

/**
 * Durations whose names don't show their unit. Matomo calls `$request_time` `generation_time_milli`, but the value is
 * in seconds.
 */
const KNOWN_UNITS = new Map<string, DurationUnit>([
  ['requesttime', 's'],
  ['generationtimemilli', 's'],
  ['event.duration', 'ns'],
]);
/** Durations with the unit in their name or value: `request_time_ms`, `"duration": "12ms"`. */
const DURATION_NAME =
  /^(?:(?:http)?(?:request|response|total|process|processing|server)?(?:time|duration|latency|elapsed)(?:taken|elapsed)?|took)(?:in)?(s|secs?|seconds?|ms|msecs?|millis|milliseconds?|us|usecs?|micros|microseconds?|ns|nsecs?|nanos|nanoseconds?)?$/;
/** Times of day, not durations. */
const NO_DURATION =
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
/** Meanings by original key. Logs repeat their keys on every line. */
const known = new Map<string, Meaning>();
const MAX_KNOWN = 1_000;
const MAX_DEPTH = 4;

function meaningOf(key: string): Meaning {
  const found = known.get(key);
  if (found !== undefined) return found;
  const name = key.toLowerCase().replaceAll(/[_\- ]/g, '');
  const meaning = MEANINGS.get(name) ?? durationOf(name);
  if (known.size < MAX_KNOWN) known.set(key, meaning);
  return meaning;
}

function durationOf(name: string): Meaning {
  const unit = KNOWN_UNITS.get(name);
  if (unit !== undefined) return { unit };
  const found = NO_DURATION.test(name) ? null : DURATION_NAME.exec(name);
  if (found === null) return null;
  const written = found[1];
  if (written === undefined) return { unit: null };
  return { unit: UNITS.find(([start]) => written.startsWith(start))![1] };
}

/** Finds the request fields of an object by their names. */
export class JsonFields {
  private readonly values: { [field in JsonField]?: unknown } = {};
  private readonly ranks: { [field in JsonField]?: number } = {};
  /** A number with its unit. If the unit is null, the value is text that contains it. */
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
      const meaning = meaningOf(name);
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

  /** Skips numbers without a unit, because they're ambiguous: nginx writes seconds, most programs milliseconds. */
  private addDuration(value: unknown, unit: DurationUnit | null): void {
    if (this.duration !== undefined || (unit === null && numberOf(value) !== undefined)) return;
    this.duration = { value, unit };
  }
}
