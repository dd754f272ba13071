import type { IncomingHttpHeaders } from 'node:http';
import { logRecord, spanRecord } from '#libs/access-log';
import { DRAIN_LIMITS } from '#libs/contracts';
import type { DrainSender } from '#libs/drains';
import {
  detectCompression,
  CorruptDataError,
  DecodedBudget,
  decompressChunks,
  splitIntoChunks,
  ProblemError,
  WorkSlices,
} from '#libs/platform';
import {
  DOCUMENT_LIMITS,
  elementText,
  toBatches,
  splitLines,
  type DocumentReader,
  type DrainFormat,
  type DrainItem,
} from './drain-body.js';
import { JsonDocument, type JsonPath } from './json-document.js';
import { decodeEntry, otlpRecords } from './otlp-protobuf.js';
import { OtlpRecord } from './otlp-record.js';

const readProtobuf: DocumentReader = (bytes) =>
  toBatches(otlpRecords(bytes), (part) => new OtlpRecord(part, decodeEntry));

/** Number of bytes to search for the first key of a JSON body. */
const HEAD_BYTES = 64;

const readOtlpJson: DocumentReader = (bytes) => {
  const isTrace = bytes.toString('latin1', 0, HEAD_BYTES).includes('"resourceSpans"');
  const path = isTrace
    ? ['resourceSpans', '*', 'scopeSpans', '*', 'spans', '*']
    : ['resourceLogs', '*', 'scopeLogs', '*', 'logRecords', '*'];
  const toRecord = isTrace ? spanRecord : logRecord;
  const parts = toDocument(bytes).parts(adjustPath(bytes, path));
  return toBatches(parts, (part) => new OtlpRecord(part, (json) => toRecord(JSON.parse(json.toString()))));
};

const READERS: Record<NonNullable<DrainSender['wrapping']>, (contentType: string) => DocumentReader> = {
  firehose: () => firehoseLines,
  otlp: (contentType) => (/protobuf/i.test(contentType) ? readProtobuf : readOtlpJson),
};

export const drainFormat = (
  { wrapping }: Pick<DrainSender, 'wrapping'>,
  { 'content-type': type = '', 'content-encoding': encoding = '' }: IncomingHttpHeaders,
): DrainFormat => ({ readDocument: wrapping === undefined ? null : READERS[wrapping](type), encoding });

const toDocument = (bytes: Buffer): JsonDocument => new JsonDocument(bytes, DOCUMENT_LIMITS);

/** Adapts a path for bodies that may be an array of documents. If the body is an array, prepends `*` to the path. */
const adjustPath = (bytes: Buffer, path: JsonPath): JsonPath =>
  bytes.toString('latin1', 0, HEAD_BYTES).trimStart().startsWith('[') ? ['*', ...path] : path;

const BASE64 = /^[\w+/-]*={0,2}$/;
const BASE64_PIECE = 64 * 1024;
const QUOTE = 0x22;
/**
 * Maximum decompressed size of a record that is buffered until its checksum is verified. Larger records are
 * decompressed twice.
 */
const MAX_BUFFERED_BYTES = 1024 * 1024;

const NOT_BASE64 = "(a record whose data isn't valid base64)";
const DAMAGED = '(a record that cannot be decompressed)';
const TOO_LARGE = '(CloudWatch log events that are too large)';

/**
 * Yields the lines in a Firehose request (docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html).
 * A record can contain several lines. If it can't be decoded, it counts as one unreadable line.
 */
async function* firehoseLines(bytes: Buffer, budget: DecodedBudget): AsyncGenerator<DrainItem[]> {
  const document = toDocument(bytes);
  const slices = new WorkSlices();
  for (const record of document.parts(adjustPath(bytes, ['records', '*']))) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    if (record !== null) yield* recordLines(record, budget);
  }
  if (!document.hasArray) {
    throw new ProblemError(
      'malformed-request',
      'The body must contain a "records" array, as sent by Amazon Data Firehose.',
    );
  }
}

async function* recordLines(record: Buffer, budget: DecodedBudget): AsyncGenerator<DrainItem[]> {
  const data = await decodeData(record);
  if (data === null) return yield [NOT_BASE64];
  try {
    const pieces = unpack(data, budget);
    const first = await pieces.next();
    if (!first.done && isSubscription(first.value)) return yield* readEvents(first.value, pieces);
    yield* splitLines(prepend(first, pieces));
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    yield [DAMAGED];
  }
}

/**
 * Number of bytes to search for the "logEvents" key of a CloudWatch subscription. It comes after the log group and the
 * filter names.
 */
const SUBSCRIPTION_HEAD_BYTES = 4 * 1024;

/**
 * Returns true if a record contains log events from a CloudWatch subscription
 * (docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html).
 */
function isSubscription(head: Buffer): boolean {
  const text = head.toString('latin1', 0, SUBSCRIPTION_HEAD_BYTES);
  return text.trimStart().startsWith('{') && text.includes('"logEvents"') && !text.includes('"CONTROL_MESSAGE"');
}

/** Yields the messages of a subscription's log events. If the record isn't valid JSON, yields its lines instead. */
async function* readEvents(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<DrainItem[]> {
  const pieces = [first];
  let size = first.length;
  for await (const piece of rest) {
    size += piece.length;
    if (size > DRAIN_LIMITS.documentBytes) return yield [TOO_LARGE];
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  if (await JsonDocument.isSingleValue(bytes, DOCUMENT_LIMITS)) {
    return yield* toBatches(toDocument(bytes).parts(['logEvents', '*', 'message']), elementText);
  }
  yield* splitLines(splitIntoChunks(bytes));
}

async function* prepend(first: IteratorResult<Buffer>, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** Returns a record's decoded `data`, or null if it isn't valid base64. */
async function decodeData(record: Buffer): Promise<Buffer | null> {
  const slices = new WorkSlices();
  let value: Buffer | undefined;
  for (const part of toDocument(record).parts(['data'])) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    value = part ?? value;
  }
  if (value?.[0] !== QUOTE) return null;
  const text = value.toString('latin1', 1, value.length - 1).replaceAll('\\/', '/');
  for (let at = 0; at < text.length; at += BASE64_PIECE) {
    if (slices.isSliceOver) await slices.yieldToEventLoop();
    const piece = text.slice(at, at + BASE64_PIECE);
    const isLast = at + BASE64_PIECE >= text.length;
    if (!BASE64.test(piece) || (!isLast && piece.endsWith('='))) return null;
  }
  return Buffer.from(text, 'base64');
}

/**
 * Yields a record's data and decompresses gzip, which CloudWatch uses.
 *
 * @throws {CorruptDataError} before the first piece if the record is damaged.
 */
async function* unpack(data: Buffer, budget: DecodedBudget): AsyncGenerator<Buffer> {
  if (detectCompression(data) !== 'gzip') {
    budget.charge(data.length);
    return yield* splitIntoChunks(data);
  }
  const buffered: Buffer[] = [];
  let bytes = 0;
  for await (const piece of decompressChunks(data, 'gzip', budget)) {
    bytes += piece.length;
    if (bytes <= MAX_BUFFERED_BYTES) buffered.push(piece);
    else buffered.length = 0;
  }
  yield* bytes <= MAX_BUFFERED_BYTES
    ? buffered
    : decompressChunks(data, 'gzip', new DecodedBudget(DRAIN_LIMITS.decodedBytes));
}
