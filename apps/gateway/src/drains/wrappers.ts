import { gunzipSync } from 'node:zlib';
import { logRecords } from '#libs/access-log';
import { DRAIN_LIMITS, type DrainSource } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import type { DrainForm, DrainItem } from './drain-body.js';
import { tooManyLines } from './drain-chunks.js';
import { otlpLogs } from './otlp-protobuf.js';

/** Sources whose bodies are one JSON document, and what takes their lines out of it. */
const WRAPPERS: Partial<Record<DrainSource, (document: object) => DrainItem[]>> = {
  'aws-firehose': firehoseLines,
  opentelemetry: logRecords,
};

export const isProtobuf = (contentType = ''): boolean => /protobuf/i.test(contentType);

/** How the body of a source is read. */
export const formOf = (source: DrainSource, { type, encoding }: { type: string; encoding: string }): DrainForm => ({
  isDocument: source in WRAPPERS,
  decode: source === 'opentelemetry' && isProtobuf(type) ? otlpLogs : null,
  encoding,
});

/** Returns what a source's documents hold. @throws ProblemError 400 for documents of another shape. */
export function unwrapped(source: DrainSource, items: DrainItem[]): DrainItem[] {
  const unwrap = WRAPPERS[source];
  if (unwrap === undefined) return items;
  return items.flatMap((item) => unwrap(typeof item === 'object' ? item : {}));
}

const BASE64 = /^[\w+/-]*={0,2}$/;

/**
 * The lines of a request of Firehose, each record one or more; what isn't base64 is taken as a line that can't be read.
 * docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html
 */
function firehoseLines(document: object): DrainItem[] {
  const { records } = document as { records?: unknown };
  if (!Array.isArray(records)) {
    throw new ProblemError('malformed-request', 'The body has no "records", as those of Amazon Data Firehose have.');
  }
  let bytes = 0;
  let lineFeeds = 0;
  return records.flatMap((record: unknown) => {
    const data = (record as { data?: unknown } | null)?.data;
    if (typeof data !== 'string' || !BASE64.test(data)) return ['(a record whose data is not base64)'];
    const decoded = unpacked(Buffer.from(data, 'base64'), DRAIN_LIMITS.decodedBytes - bytes);
    bytes += decoded.length;
    // Blank lines count, too: a record can unpack to many millions of them.
    const lines = decoded.toString('latin1').split('\n', DRAIN_LIMITS.lines - lineFeeds + 2);
    lineFeeds += lines.length - 1;
    if (lineFeeds > DRAIN_LIMITS.lines) throw tooManyLines();
    return lines;
  });
}

/** CloudWatch packs records of its own with gzip. */
function unpacked(bytes: Buffer, maxOutputLength: number): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return bytes;
    throw new ProblemError('too-large', `The decoded records are larger than ${DRAIN_LIMITS.decodedBytes} bytes.`);
  }
}
