import { DRAIN_LIMITS } from '#libs/contracts';
import protobuf from 'protobufjs';
import { decodeRecord, otlpRecords } from './otlp-protobuf.js';

/** Subset of opentelemetry-proto with all fields that the decoder reads and some that it must skip. */
const { root } = protobuf.parse(`syntax = "proto3";
message Request { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs { Scope resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; }
message Scope { string name = 1; }
message LogRecord {
  fixed64 time_unix_nano = 1; int32 severity_number = 2; AnyValue body = 5; repeated KeyValue attributes = 6;
  fixed32 flags = 8; bytes trace_id = 9; fixed64 observed_time_unix_nano = 11;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
    KeyValueList kvlist_value = 6; bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }`);
const Request = root.lookupType('Request');
const decodeRecords = (bytes: Buffer) => [...otlpRecords(bytes)].filter((part) => part !== null).map(decodeRecord);
const encodeRequest = (request: object): Buffer => Buffer.from(Request.encode(Request.fromObject(request)).finish());

it('decodes records to their OTLP JSON representation', () => {
  const attributes = [
    { key: 'a', value: { stringValue: 'é' } },
    { key: 'b', value: { intValue: '-5' } },
    { key: 'c', value: { doubleValue: 0.5 } },
    { key: 'd', value: { boolValue: true } },
    { key: 'e', value: { arrayValue: { values: [{ stringValue: 'x' }, { intValue: '9007199254740993' }] } } },
    { key: 'f', value: { kvlistValue: { values: [{ key: 'g', value: { stringValue: 'h' } }] } } },
  ];
  const record = { timeUnixNano: '1795514400000000001', body: { stringValue: 'line' }, attributes };
  const skippedFields = { severityNumber: 9, traceId: Buffer.alloc(16), flags: 1 };
  const request = (more: object) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ ...record, ...more }] }] }] });
  const bytes = encodeRequest({
    resourceLogs: [{ resource: { name: 'r' }, schemaUrl: 's', ...request(skippedFields).resourceLogs[0] }],
  });
  expect(decodeRecords(bytes)).toEqual([record]);
  expect(decodeRecords(Buffer.alloc(0))).toEqual([]);
});

it.each([
  ['text', Buffer.from('{"resourceLogs":[]}')],
  [
    'a truncated message',
    encodeRequest({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'abc' } }] }] }] }).subarray(
      0,
      -1,
    ),
  ],
  ['deeply nested groups', Buffer.alloc(100_000, 0x0b)],
  ['a length that exceeds the body', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])],
])('rejects %s as a protobuf request', (_, bytes) =>
  expect(() => decodeRecords(bytes)).toThrow('not an OpenTelemetry export request'),
);

it('pauses regularly while it skips fields', () => {
  const skipped = Buffer.alloc(200_000, Buffer.from([0x1a, 0x00]));
  expect([...otlpRecords(skipped)].length).toBeGreaterThan(10);
});

it('limits the nesting depth and the number of empty fields', () => {
  let value: object = { stringValue: 'x' };
  for (let depth = 0; depth < 40; depth += 1) value = { arrayValue: { values: [value] } };
  const deep = encodeRequest({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: value }] }] }] });
  expect(() => decodeRecords(deep)).toThrow('nested more than 32 deep');
  for (const field of [
    [0x0a, 0x00],
    [0x12, 0x00],
  ]) {
    const empty = Buffer.alloc(DRAIN_LIMITS.documentBytes, Buffer.from(field));
    expect(() => decodeRecords(empty)).toThrow('smaller batches');
  }
});
