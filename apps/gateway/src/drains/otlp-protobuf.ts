import { DRAIN_LIMITS, jsonLimits } from '#libs/contracts';
import { ProblemError } from '#libs/platform';
import { Reader } from 'protobufjs/minimal.js';

/** Reads one field's value; the reader stands at it. */
type Field = (reader: Reader, object: Record<string, unknown>, decoder: OtlpDecoder) => void;
/** Fields of a message by their numbers; others are passed over. */
type Fields = Readonly<Record<number, Field>>;

const MAX_VALUES = jsonLimits(DRAIN_LIMITS.documentBytes).values;
/** Arrays and maps within each other; the exporter's JSON is as deep. */
const MAX_DEPTH = 32;

/**
 * Decodes an export request of OTLP's logs from protobuf into what its JSON is, as far as visits need it
 * (github.com/open-telemetry/opentelemetry-proto, collector/logs/v1). An empty message takes two bytes, so messages are
 * counted.
 *
 * @throws ProblemError 400 for what isn't one, 413 for one of too many values.
 */
export function otlpLogs(bytes: Buffer): object {
  try {
    return new OtlpDecoder().message(Reader.create(bytes), bytes.length, EXPORT_REQUEST);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError('malformed-request', 'The body is not an export request of OpenTelemetry logs.', {
      cause: error,
    });
  }
}

class OtlpDecoder {
  private values = 0;
  private depth = 0;

  /** @param end position behind the message. */
  message(reader: Reader, end: number, fields: Fields): Record<string, unknown> {
    this.values += 1;
    if (this.values > MAX_VALUES) {
      throw new ProblemError(
        'too-large',
        `The body holds more than ${MAX_VALUES} values. Let the sender send smaller batches.`,
      );
    }
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
/** 64 bits, as JSON has them. */
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
const SCOPE_LOGS: Fields = { 2: many('logRecords', () => RECORD) };
const RESOURCE_LOGS: Fields = { 2: many('scopeLogs', () => SCOPE_LOGS) };
const EXPORT_REQUEST: Fields = { 1: many('resourceLogs', () => RESOURCE_LOGS) };
