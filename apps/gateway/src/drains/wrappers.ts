import type { IncomingHttpHeaders } from 'node:http';
import { DRAIN_LIMITS } from '#libs/contracts';
import type { DrainSender } from '#libs/drains';
import {
  compressionOf,
  DamagedError,
  DecodedBudget,
  decompressed,
  inPieces,
  ProblemError,
  WorkSlices,
} from '#libs/platform';
import {
  DOCUMENT_LIMITS,
  inBatches,
  linesOf,
  type DocumentReader,
  type DrainForm,
  type DrainItem,
} from './drain-body.js';
import { JsonDocument, type JsonPath } from './json-document.js';
import { decodeRecord, otlpRecords } from './otlp-protobuf.js';
import { OtlpRecord } from './otlp-record.js';

const readProtobuf: DocumentReader = (bytes) =>
  inBatches(otlpRecords(bytes), (part) => new OtlpRecord(part, decodeRecord));

const readOtlpJson: DocumentReader = (bytes) => {
  const parts = documentOf(bytes).parts(pathIn(bytes, ['resourceLogs', '*', 'scopeLogs', '*', 'logRecords', '*']));
  return inBatches(parts, (part) => new OtlpRecord(part, (json) => JSON.parse(json.toString())));
};

/** Readers of documents, by their format and Content-Type. */
const READERS: Record<NonNullable<DrainSender['wrapping']>, (contentType: string) => DocumentReader> = {
  firehose: () => firehoseLines,
  otlp: (contentType) => (/protobuf/i.test(contentType) ? readProtobuf : readOtlpJson),
};

/** Returns how to read a body of a sender. */
export const formOf = (
  { wrapping }: Pick<DrainSender, 'wrapping'>,
  { 'content-type': type = '', 'content-encoding': encoding = '' }: IncomingHttpHeaders,
): DrainForm => ({ readDocument: wrapping === undefined ? null : READERS[wrapping](type), encoding });

const documentOf = (bytes: Buffer): JsonDocument => new JsonDocument(bytes, DOCUMENT_LIMITS);

/** A body may also be an array of such documents. */
const pathIn = (bytes: Buffer, path: JsonPath): JsonPath =>
  bytes.toString('latin1', 0, 64).trimStart().startsWith('[') ? ['*', ...path] : path;

const BASE64 = /^[\w+/-]*={0,2}$/;
/** Characters of base64 that are checked at a time. */
const BASE64_PIECE = 64 * 1024;
const QUOTE = 0x22;
/** Largest record that is kept in memory until its checksum is verified. Larger ones are decoded again after that. */
const MAX_KEPT_BYTES = 1024 * 1024;

const NOT_BASE64 = '(a record whose data is not base64)';
const DAMAGED = '(a record that cannot be decompressed)';
const TOO_LARGE = '(log events of CloudWatch that are too large)';

/**
 * Yields the lines of a request of Firehose, each record one or more. A record that can't be decoded counts as one line that
 * can't be read.
 * docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html
 */
async function* firehoseLines(bytes: Buffer, budget: DecodedBudget): AsyncGenerator<DrainItem[]> {
  const document = documentOf(bytes);
  const slices = new WorkSlices();
  for (const record of document.parts(pathIn(bytes, ['records', '*']))) {
    yield* recordLines(record, budget);
    if (slices.isOver) await slices.next();
  }
  if (!document.hasArray) {
    throw new ProblemError('malformed-request', 'The body has no "records", as those of Amazon Data Firehose have.');
  }
}

async function* recordLines(record: Buffer, budget: DecodedBudget): AsyncGenerator<DrainItem[]> {
  const data = dataOf(record);
  if (data === null) return yield [NOT_BASE64];
  try {
    const pieces = unpacked(data, budget);
    const first = await pieces.next();
    if (!first.done && isSubscription(first.value)) return yield* eventsOf(first.value, pieces);
    yield* linesOf(following(first, pieces));
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    yield [DAMAGED];
  }
}

/** Bytes in which a subscription of CloudWatch names its log group and filters. */
const SUBSCRIPTION_HEAD_BYTES = 4 * 1024;

/** Whether a record is what a subscription of CloudWatch sends (docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html). */
function isSubscription(head: Buffer): boolean {
  const text = head.toString('latin1', 0, SUBSCRIPTION_HEAD_BYTES);
  return text.trimStart().startsWith('{') && text.includes('"logEvents"') && !text.includes('"CONTROL_MESSAGE"');
}

/** The log events of a subscription, whatever their number; of anything else the lines. */
async function* eventsOf(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<DrainItem[]> {
  const pieces = [first];
  let size = first.length;
  for await (const piece of rest) {
    size += piece.length;
    if (size > DRAIN_LIMITS.documentBytes) return yield [TOO_LARGE];
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  if (JsonDocument.isOne(bytes, DOCUMENT_LIMITS)) {
    return yield* inBatches(documentOf(bytes).parts(['logEvents', '*', 'message']), messageOf);
  }
  yield* linesOf([bytes]);
}

async function* following(first: IteratorResult<Buffer>, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/** The text of a message, one character a byte; of one longer than a line may be only the length matters. */
function messageOf(json: Buffer): string {
  if (json.length > DRAIN_LIMITS.lineBytes) return json.toString('latin1', 0, DRAIN_LIMITS.lineBytes + 1);
  return Buffer.from(String(JSON.parse(json.toString()))).toString('latin1');
}

/** The bytes of a record's `data`; null if that isn't base64. */
function dataOf(record: Buffer): Buffer | null {
  const value = [...documentOf(record).parts(['data'])].at(-1);
  if (value?.[0] !== QUOTE) return null;
  const text = value.toString('latin1', 1, value.length - 1).replaceAll('\\/', '/');
  for (let at = 0; at < text.length; at += BASE64_PIECE) {
    const piece = text.slice(at, at + BASE64_PIECE);
    const isLast = at + BASE64_PIECE >= text.length;
    if (!BASE64.test(piece) || (!isLast && piece.endsWith('='))) return null;
  }
  return Buffer.from(text, 'base64');
}

/** CloudWatch packs records of its own with gzip. Of a damaged one nothing is yielded. */
async function* unpacked(data: Buffer, budget: DecodedBudget): AsyncGenerator<Buffer> {
  if (compressionOf(data) !== 'gzip') {
    budget.charge(data.length);
    return yield* inPieces(data);
  }
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const piece of decompressed(data, 'gzip', budget)) {
    bytes += piece.length;
    if (bytes <= MAX_KEPT_BYTES) kept.push(piece);
    else kept.length = 0;
  }
  yield* bytes <= MAX_KEPT_BYTES ? kept : decompressed(data, 'gzip', new DecodedBudget(DRAIN_LIMITS.decodedBytes));
}
