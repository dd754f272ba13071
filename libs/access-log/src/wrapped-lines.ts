import { members, type Entry } from './formats/log-format.js';

/** What a collector wraps around what it reads. */
export interface Wrapped {
  /** Texts or objects, the most likely first: the first that is a request counts. */
  candidates: readonly (string | Entry)[];
  /** As with {@link Peeled}. */
  stream?: string | undefined;
  isPart?: boolean;
}

/** Members with the text that a collector, a container runtime or a logger read. */
const MEMBERS =
  'message log line msg event MESSAGE textPayload jsonPayload log_processed short_message full_message @message _raw raw body event.original log.record.original'.split(
    ' ',
  );
/** Docker cuts longer lines into parts of as many bytes, and only the last one ends with a line feed. */
const DOCKER_PART_BYTES = 16_384;

/** Returns what an object wraps; null if it wraps nothing. */
export function wrappedIn(entry: Entry): Wrapped | null {
  const candidates = MEMBERS.map((name) => entry[name]).flatMap((value): (string | Entry)[] => {
    if (typeof value === 'string') return value === '' ? [] : [value];
    if (isBytes(value)) return [new TextDecoder().decode(Uint8Array.from(value))];
    const inner = members(value);
    // `event` of the Elastic Common Schema.
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

/** journald writes texts that aren't UTF-8 or have control characters as a list of bytes. */
const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);

/** The log events of a subscription of CloudWatch, or the values of a push of Loki; null for any other object. */
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
