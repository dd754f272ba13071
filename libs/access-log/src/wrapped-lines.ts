import { toEntry, type Entry } from './formats/log-format.js';

/** Content that a log collector has wrapped in an object. */
export interface Wrapped {
  /** Texts or objects, most likely first. The first one that contains a request is used. */
  candidates: readonly (string | Entry)[];
  /** Output stream, if a container runtime logged the content. Runtimes split long lines into parts. */
  stream?: string | undefined;
  isPart?: boolean;
}

/** Keys that log collectors, container runtimes and loggers use for the original text. */
const MEMBERS =
  'message log line msg event MESSAGE textPayload jsonPayload log_processed short_message full_message @message _raw raw body event.original log.record.original'.split(
    ' ',
  );
/** Size of the parts into which Docker splits longer lines. Only the last part ends with a line feed. */
const DOCKER_PART_BYTES = 16_384;

/** Returns the content of a wrapper object, or null if the object isn't a wrapper. */
export function unwrap(entry: Entry): Wrapped | null {
  const candidates = MEMBERS.map((name) => entry[name]).flatMap((value): (string | Entry)[] => {
    if (typeof value === 'string') return value === '' ? [] : [value];
    if (isBytes(value)) return [new TextDecoder().decode(Uint8Array.from(value))];
    const inner = toEntry(value);
    // The Elastic Common Schema stores the original text in `event.original`.
    if (typeof inner['original'] === 'string') return [inner['original']];
    return inner === value ? [inner] : [];
  });
  if (candidates.length === 0) return null;
  const { stream, log, logtag, _p } = entry;
  const isTruncated =
    typeof log === 'string' && log.length >= DOCKER_PART_BYTES / 4 && !log.endsWith('\n') && isDockerEntry(entry);
  return {
    candidates,
    stream: typeof stream === 'string' ? stream : undefined,
    isPart: logtag === 'P' || _p === 'P' || (isTruncated && new TextEncoder().encode(log).length >= DOCKER_PART_BYTES),
  };
}

const isDockerEntry = (entry: Entry): boolean =>
  Object.keys(entry).every((key) => ['log', 'stream', 'time', 'attrs'].includes(key));

/** journald logs text as a list of bytes if it contains control characters or isn't valid UTF-8. */
const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);

/** Returns the messages from a CloudWatch subscription or a Loki push request, or null for any other object. */
export function extractEvents(entry: Entry): unknown[] | null {
  const { logEvents, streams } = entry;
  if (Array.isArray(logEvents)) return logEvents.map((event) => toEntry(event)['message']);
  if (!Array.isArray(streams)) return null;
  return streams.flatMap((stream) => {
    const { values } = toEntry(stream);
    return Array.isArray(values)
      ? values.map((value: unknown) => (Array.isArray(value) ? (value as unknown[])[1] : ''))
      : [];
  });
}
