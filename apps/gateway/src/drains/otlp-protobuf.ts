import { DRAIN_LIMITS, jsonLimits } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import { Reader } from 'protobufjs/minimal.js';

/** Reads the value of a field at the current position of the reader. */
type Field = (reader: Reader, object: Record<string, unknown>, decoder: OtlpDecoder) => void;
/** Fields of a message, by number. Others are skipped. */
type Fields = Readonly<Record<number, Field>>;

const MAX_FIELDS = jsonLimits(DRAIN_LIMITS.documentBytes).values;
const LENGTH_DELIMITED = 2;
/** Maximum nesting of messages. Each array or map takes two levels. */
const MAX_DEPTH = 32;

/** Field numbers from the request to a log record: `resource_logs`, `scope_logs`, `log_records`. */
const PATH_TO_RECORDS = [1, 2, 2];
/** Wire types of groups, which OTLP doesn't use. */
const GROUPS = new Set([3, 4]);

/**
 * Yields the bytes of each log record in an OTLP export request (github.com/open-telemetry/opentelemetry-proto,
 * collector/logs/v1). The number of fields is limited, because an empty field takes only two bytes.
 *
 * @throws ProblemError 400 if the bytes aren't such a request, 413 if it has too many fields.
 */
export function* otlpRecords(bytes: Buffer): Generator<Buffer> {
  const reader = Reader.create(bytes);
  let fields = 0;
  function* recordsIn(end: number, level: number): Generator<Buffer> {
    while (reader.pos < end) {
      fields += 1;
      if (fields > MAX_FIELDS) throw tooManyFields();
      const tag = reader.uint32();
      if (tag !== ((PATH_TO_RECORDS[level]! << 3) | LENGTH_DELIMITED)) {
        if (GROUPS.has(tag & 7)) throw new Error('a group');
        reader.skipType(tag & 7);
        continue;
      }
      const inner = reader.uint32() + reader.pos;
      if (inner > end) throw new Error('a message is longer than what it is in');
      if (level === PATH_TO_RECORDS.length - 1) {
        const from = reader.pos;
        reader.pos = inner;
        yield bytes.subarray(from, inner);
      } else {
        yield* recordsIn(inner, level + 1);
      }
    }
    if (reader.pos !== end) throw new Error('a message is longer than its length');
  }
  try {
    yield* recordsIn(bytes.length, 0);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError('malformed-request', 'The body is not an export request of OpenTelemetry logs.', {
      cause: error,
    });
  }
}

/**
 * Decodes the fields of a log record that visits need into OTLP JSON.
 *
 * @throws if the bytes aren't a log record.
 */
export const decodeRecord = (bytes: Buffer): object =>
  new OtlpDecoder().message(Reader.create(bytes), bytes.length, RECORD);

const tooManyFields = (): ProblemError =>
  new ProblemError('too-large', `The body holds more than ${MAX_FIELDS} fields. Send smaller batches.`);

class OtlpDecoder {
  private depth = 0;

  /** @param end Position after the last byte of the message. */
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
    if (reader.pos !== end) throw new Error('a message is longer than its length');
    this.depth -= 1;
    return object;
  }
}

const one =
  (name: string, fields: () => Fields): Field =>
  (reader, object, decoder) => {
    object[name] = decoder.message(reader, reader.uint32() + reader.pos, fields());
  };
const many =
  (name: string, fields: () => Fields): Field =>
  (reader, object, decoder) => {
    const list = (object[name] ??= []) as unknown[];
    list.push(decoder.message(reader, reader.uint32() + reader.pos, fields()));
  };
const text =
  (name: string): Field =>
  (reader, object) => {
    object[name] = reader.string();
  };
/** 64-bit integers are strings in OTLP JSON. */
const integer =
  (name: string, read: (reader: Reader) => unknown): Field =>
  (reader, object) => {
    object[name] = String(read(reader));
  };

const VALUE: Fields = {
  1: text('stringValue'),
  2: (reader, object) => void (object['boolValue'] = reader.bool()),
  3: integer('intValue', (reader) => reader.int64()),
  4: (reader, object) => void (object['doubleValue'] = reader.double()),
  5: one('arrayValue', () => ({ 1: many('values', () => VALUE) })),
  6: one('kvlistValue', () => ({ 1: many('values', () => ATTRIBUTE) })),
};
const ATTRIBUTE: Fields = { 1: text('key'), 2: one('value', () => VALUE) };
const RECORD: Fields = {
  1: integer('timeUnixNano', (reader) => reader.fixed64()),
  5: one('body', () => VALUE),
  6: many('attributes', () => ATTRIBUTE),
  11: integer('observedTimeUnixNano', (reader) => reader.fixed64()),
};
