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

const READERS: Record<NonNullable<DrainSender['wrapping']>, (contentType: string) => DocumentReader> = {
  firehose: () => firehoseLines,
  otlp: (contentType) => (/protobuf/i.test(contentType) ? readProtobuf : readOtlpJson),
};

export const formOf = (
  { wrapping }: Pick<DrainSender, 'wrapping'>,
  { 'content-type': type = '', 'content-encoding': encoding = '' }: IncomingHttpHeaders,
): DrainForm => ({ readDocument: wrapping === undefined ? null : READERS[wrapping](type), encoding });

const documentOf = (bytes: Buffer): JsonDocument => new JsonDocument(bytes, DOCUMENT_LIMITS);

/** Adjusts a path if the body is an array of documents. */
const pathIn = (bytes: Buffer, path: JsonPath): JsonPath =>
  bytes.toString('latin1', 0, 64).trimStart().startsWith('[') ? ['*', ...path] : path;

const BASE64 = /^[\w+/-]*={0,2}$/;
const BASE64_PIECE = 64 * 1024;
const QUOTE = 0x22;
/** Largest record kept in memory until its checksum is verified. Larger records are decompressed twice. */
const MAX_KEPT_BYTES = 1024 * 1024;

const NOT_BASE64 = '(a record whose data is not base64)';
const DAMAGED = '(a record that cannot be decompressed)';
const TOO_LARGE = '(log events of CloudWatch that are too large)';

/**
 * Yields the lines of a Firehose request (docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html).
 * Each record contains one or more lines. A record that can't be decoded counts as one unreadable line.
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

/** Bytes searched to recognize a CloudWatch subscription. Its log group and filters come before the events. */
const SUBSCRIPTION_HEAD_BYTES = 4 * 1024;

/**
 * Returns whether a record contains log events of a CloudWatch subscription
 * (docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html).
 */
function isSubscription(head: Buffer): boolean {
  const text = head.toString('latin1', 0, SUBSCRIPTION_HEAD_BYTES);
  return text.trimStart().startsWith('{') && text.includes('"logEvents"') && !text.includes('"CONTROL_MESSAGE"');
}

/** Yields the log events of a subscription, or its lines if it isn't valid JSON. */
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

/**
 * Returns the text of a message, one character per byte. Messages over the maximum line length are cut: they will be
 * rejected.
 */
function messageOf(json: Buffer): string {
  if (json.length > DRAIN_LIMITS.lineBytes) return json.toString('latin1', 0, DRAIN_LIMITS.lineBytes + 1);
  return Buffer.from(String(JSON.parse(json.toString()))).toString('latin1');
}

/** Returns the decoded `data` of a record, or null if it isn't base64. */
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

/**
 * Yields the data of a record, decompressed if it's gzip (CloudWatch compresses its records). Throws before the first
 * piece if the record is damaged.
 */
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
