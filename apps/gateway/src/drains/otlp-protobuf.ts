import { logRecord, spanRecord, type Entry } from '#libs/access-log';
import { DRAIN_LIMITS, jsonLimits } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import { Reader } from 'protobufjs/minimal.js';

/** Decodes a field at the reader's current position and adds it to the object. */
type Field = (reader: Reader, object: Record<string, unknown>, decoder: OtlpDecoder) => void;
/** Field decoders by field number. All other fields are skipped. */
type Fields = Readonly<Record<number, Field>>;

const MAX_FIELDS = jsonLimits(DRAIN_LIMITS.documentBytes).values;
const LENGTH_DELIMITED = 2;
/** Number of fields to read before other requests can run. */
const PAUSE_FIELDS = 8_192;
/** Maximum message nesting depth. An array or a map counts as two levels. */
const MAX_DEPTH = 32;

/**
 * Field numbers on the path from a request to its log records: `resource_logs`, `scope_logs`, `log_records`. They are
 * the same for spans: `resource_spans`, `scope_spans`, `spans`.
 */
const PATH_TO_RECORDS = [1, 2, 2];
/** Wire types for the start and end of groups, which OTLP doesn't use. */
const GROUPS = new Set([3, 4]);

/**
 * Yields the bytes of each log record in an OTLP export request (github.com/open-telemetry/opentelemetry-proto,
 * collector/logs/v1). Also yields `null` at regular intervals, so the caller can let other requests run. Limits the
 * number of fields, because an empty field only takes two bytes.
 *
 * @throws {ProblemError} 400 if the bytes aren't an export request, or 413 if the request has too many fields.
 */
export function* otlpRecords(bytes: Buffer): Generator<Buffer | null> {
  const reader = Reader.create(bytes);
  let fields = 0;
  function* recordsIn(end: number, level: number): Generator<Buffer | null> {
    while (reader.pos < end) {
      fields += 1;
      if (fields > MAX_FIELDS) throw tooManyFields();
      if (fields % PAUSE_FIELDS === 0) yield null;
      const tag = reader.uint32();
      if (tag !== ((PATH_TO_RECORDS[level]! << 3) | LENGTH_DELIMITED)) {
        if (GROUPS.has(tag & 7)) throw new Error('a group');
        reader.skipType(tag & 7);
        continue;
      }
      const inner = reader.uint32() + reader.pos;
      if (inner > end) throw new Error('a message exceeds the message that contains it');
      if (level === PATH_TO_RECORDS.length - 1) {
        const from = reader.pos;
        reader.pos = inner;
        yield bytes.subarray(from, inner);
      } else {
        yield* recordsIn(inner, level + 1);
      }
    }
    if (reader.pos !== end) throw new Error('a field exceeds its message');
  }
  try {
    yield* recordsIn(bytes.length, 0);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError('malformed-request', 'The body is not an OpenTelemetry export request for logs or spans.', {
      cause: error,
    });
  }
}

/** Tag of a span's trace ID. In a log record, field 1 is a time, which isn't length-delimited. */
const TRACE_ID_TAG = (1 << 3) | LENGTH_DELIMITED;

/**
 * Decodes a log record or a span, which starts with its trace ID.
 *
 * @throws {Error} if the bytes are neither.
 */
export const decodeEntry = (bytes: Buffer): Entry =>
  bytes[0] === TRACE_ID_TAG
    ? spanRecord(new OtlpDecoder().message(Reader.create(bytes), bytes.length, SPAN))
    : logRecord(decodeRecord(bytes));

/**
 * Decodes a log record to OTLP JSON. Skips the fields that aren't needed to create a visit.
 *
 * @throws {Error} if the bytes aren't a log record.
 */
export const decodeRecord = (bytes: Buffer): object =>
  new OtlpDecoder().message(Reader.create(bytes), bytes.length, RECORD);

const tooManyFields = (): ProblemError =>
  new ProblemError('too-large', `The body contains more than ${MAX_FIELDS} fields. Send smaller batches.`);

class OtlpDecoder {
  private depth = 0;

  /** @param end Offset of the first byte after the message. */
  message(reader: Reader, end: number, fields: Fields): Record<string, unknown> {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Error(`nested more than ${MAX_DEPTH} deep`);
    const object: Record<string, unknown> = {};
    while (reader.pos < end) {
      const tag = reader.uint32();
      const field = fields[tag >>> 3];
      if (field === undefined) reader.skipType(tag & 7);
      else field(reader, object, this);
    }
    if (reader.pos !== end) throw new Error('a field exceeds its message');
    this.depth -= 1;
    return object;
  }
}

const messageField =
  (name: string, fields: () => Fields): Field =>
  (reader, object, decoder) => {
    object[name] = decoder.message(reader, reader.uint32() + reader.pos, fields());
  };
const repeatedField =
  (name: string, fields: () => Fields): Field =>
  (reader, object, decoder) => {
    const list = (object[name] ??= []) as unknown[];
    list.push(decoder.message(reader, reader.uint32() + reader.pos, fields()));
  };
const stringField =
  (name: string): Field =>
  (reader, object) => {
    object[name] = reader.string();
  };
/** Decodes a 64-bit integer to a string, as OTLP JSON requires. */
const integerField =
  (name: string, read: (reader: Reader) => unknown): Field =>
  (reader, object) => {
    object[name] = String(read(reader));
  };

const VALUE: Fields = {
  1: stringField('stringValue'),
  2: (reader, object) => void (object['boolValue'] = reader.bool()),
  3: integerField('intValue', (reader) => reader.int64()),
  4: (reader, object) => void (object['doubleValue'] = reader.double()),
  5: messageField('arrayValue', () => ({ 1: repeatedField('values', () => VALUE) })),
  6: messageField('kvlistValue', () => ({ 1: repeatedField('values', () => ATTRIBUTE) })),
};
const ATTRIBUTE: Fields = { 1: stringField('key'), 2: messageField('value', () => VALUE) };
const hexField =
  (name: string): Field =>
  (reader, object) => {
    object[name] = Buffer.from(reader.bytes()).toString('hex');
  };
const SPAN: Fields = {
  1: hexField('traceId'),
  2: hexField('spanId'),
  6: (reader, object) => void (object['kind'] = reader.int32()),
  7: integerField('startTimeUnixNano', (reader) => reader.fixed64()),
  8: integerField('endTimeUnixNano', (reader) => reader.fixed64()),
  9: repeatedField('attributes', () => ATTRIBUTE),
};
const RECORD: Fields = {
  1: integerField('timeUnixNano', (reader) => reader.fixed64()),
  5: messageField('body', () => VALUE),
  6: repeatedField('attributes', () => ATTRIBUTE),
  11: integerField('observedTimeUnixNano', (reader) => reader.fixed64()),
};
