import { members, type Entry } from './formats/log-format.js';

/** Content that a collector wraps in an object. */
export interface Wrapped {
  /** Texts or objects, most likely first. The first one with a request is used. */
  candidates: readonly (string | Entry)[];
  /** See {@link Peeled}. */
  stream?: string | undefined;
  isPart?: boolean;
}

/** Members that collectors, container runtimes and loggers use for the original text. */
const MEMBERS =
  'message log line msg event MESSAGE textPayload jsonPayload log_processed short_message full_message @message _raw raw body event.original log.record.original'.split(
    ' ',
  );
/** Docker splits longer lines into parts of this size. Only the last part ends with a line feed. */
const DOCKER_PART_BYTES = 16_384;

/** Returns the content of a wrapper object, or null for any other object. */
export function wrappedIn(entry: Entry): Wrapped | null {
  const candidates = MEMBERS.map((name) => entry[name]).flatMap((value): (string | Entry)[] => {
    if (typeof value === 'string') return value === '' ? [] : [value];
    if (isBytes(value)) return [new TextDecoder().decode(Uint8Array.from(value))];
    const inner = members(value);
    // `event` in the Elastic Common Schema.
    if (typeof inner['original'] === 'string') return [inner['original']];
    return inner === value ? [inner] : [];
  });
  if (candidates.length === 0) return null;
  const { stream, log, logtag, _p } = entry;
  const isCut =
    typeof log === 'string' && log.length >= DOCKER_PART_BYTES / 4 && !log.endsWith('\n') && isDockers(entry);
  return {
    candidates,
    stream: typeof stream === 'string' ? stream : undefined,
    isPart: logtag === 'P' || _p === 'P' || (isCut && new TextEncoder().encode(log).length >= DOCKER_PART_BYTES),
  };
}

const isDockers = (entry: Entry): boolean =>
  Object.keys(entry).every((key) => ['log', 'stream', 'time', 'attrs'].includes(key));

/** journald writes text as a list of bytes if it has control characters or isn't valid UTF-8. */
const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);

/** Returns the log events of a CloudWatch subscription, or the values of a Loki push. Null for any other object. */
export function eventsIn(entry: Entry): unknown[] | null {
  const { logEvents, streams } = entry;
  if (Array.isArray(logEvents)) return logEvents.map((event) => members(event)['message']);
  if (!Array.isArray(streams)) return null;
  return streams.flatMap((stream) => {
    const { values } = members(stream);
    return Array.isArray(values)
      ? values.map((value: unknown) => (Array.isArray(value) ? (value as unknown[])[1] : ''))
      : [];
  });
}
