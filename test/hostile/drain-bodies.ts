import { crc32 } from 'node:zlib';
import { DRAIN_LIMITS } from '#libs/contracts';
import type { DrainSource } from '#libs/drains';
import protobuf from 'protobufjs';
import {
  bomb,
  compressedBodies,
  repeatToBytes,
  gzip,
  JSON_TYPE,
  MIB,
  STRUCTURES,
  TEXTS,
  type HostileBody,
} from './bodies.js';

const { lineBytes } = DRAIN_LIMITS;
/** Document size in bytes, which is just below the limit. */
const DOCUMENT_BYTES = 15 * MIB;
/** Number of lines of the maximum length in a body. Exceeds the number of lines that are processed at a time. */
const LONG_LINES = 40;
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' };

type Texts = Record<string, () => string>;

/** Yields hostile bodies for a drain source. Most are yielded both plain and compressed. */
export function* drainBodies(source: DrainSource): Generator<HostileBody> {
  for (const [name, lines] of Object.entries(hostileLines())) yield* wrapLines(source, name, lines);
  for (const [name, structureOf] of Object.entries(STRUCTURES)) {
    const structure = (): string => structureOf(DOCUMENT_BYTES / 3);
    yield* plainAndCompressed(name, () => structureOf(DOCUMENT_BYTES));
    yield* plainAndCompressed(
      `an object of ${name}`,
      () => `{\n"records":${structure()},"resourceLogs":${structure()}}`,
    );
    yield* plainAndCompressed(`a record of ${name}`, () => toFirehoseBody(`{"data":${structure()}}`));
    yield* plainAndCompressed(`an attribute of ${name}`, () =>
      toOpenTelemetryBody(`{"attributes":${structure()},"body":${structure()}}`),
    );
  }
  for (const encoding of ['gzip', 'zstd']) yield* compressedBodies(encoding, Buffer.from('a line\n'.repeat(100_000)));
  yield* firehoseBodies();
  yield* protobufBodies();
}

/** Returns hostile lines for any source, before they're wrapped in the source's format. */
function hostileLines(): Texts {
  const lines: Texts = {};
  for (const [name, unit] of Object.entries(TEXTS)) {
    const text = repeatToBytes(unit, 30_000);
    const inQuotes = text.replaceAll('"', '');
    const path = inQuotes.slice(0, 8_000);
    const request = `203.0.113.7 - - [21/Nov/2026:08:30:00 +0000] "GET /a?${path} HTTP/1.1" 200 5 "-" "${inQuotes}"`;
    const headers = { [text.slice(0, 500)]: [text.slice(0, 10_000)] };
    const caddy = { ts: 1, request: { remote_ip: '203.0.113.7', method: 'GET', uri: '/a', headers }, status: 200 };
    lines[`a line of ${name}`] = () => repeatToBytes(unit, DOCUMENT_BYTES);
    lines[`lines of ${name}`] = () => `${repeatToBytes(unit, lineBytes - 100)}\n`.repeat(LONG_LINES);
    lines[`requests with ${name}`] = () => `${request}\n`.repeat(LONG_LINES);
    lines[`objects with ${name}`] = () => `${JSON.stringify(caddy)}\n`.repeat(LONG_LINES);
  }
  for (const [name, structureOf] of Object.entries(STRUCTURES)) {
    lines[`lines of ${name}`] = () => `${structureOf(lineBytes - 100)}\n`.repeat(LONG_LINES);
    const member = (): string => structureOf(lineBytes / 3);
    lines[`members of ${name}`] = () => `{"time":${member()},"request":${member()}}\n`.repeat(LONG_LINES);
  }
  for (const [name, frames] of Object.entries(hostileFrames())) lines[name] = frames;
  lines['blank lines'] = () => '\n'.repeat(DOCUMENT_BYTES);
  lines['short lines'] = () => 'x\n'.repeat(DOCUMENT_BYTES / 2);
  lines['as many short lines as there may be'] = () => 'x\n'.repeat(DRAIN_LIMITS.lines);
  return lines;
}

/** Returns syslog streams (RFC 6587) whose octet counts are wrong. */
function hostileFrames(): Texts {
  const message =
    '<158>1 2026-11-20T10:05:04Z host app web.1 - 203.0.113.7 - - [20/Nov/2026:10:05:04 +0000] "GET / HTTP/1.1" 200 5';
  const counted = `${message.length} ${message}`;
  const fill = (unit: string) => () => counted + repeatToBytes(unit, DOCUMENT_BYTES);
  return {
    'octet counts over the limit': fill(`9999999 ${message}\n`),
    'an octet count over the limit and one line': () => `${counted}9999999 ${message}${'x'.repeat(DOCUMENT_BYTES)}`,
    'octet counts that are too large': fill(`131072 ${message}\n`),
    'octet counts that are too small': fill(`9 ${message}`),
    'negative octet counts': fill(`-${counted}`),
    'octet counts of zero': fill('0 <'),
    'octet counts of one': fill('1 <'),
    'octet counts without messages': fill('100 '),
    'counted, then NUL bytes': fill('\0'),
    'counted, then letters and NUL bytes': fill('x\0'),
    'counted, then carriage returns': fill('\r'),
    'counted, then short lines': fill('x\n'),
    'counted, then a line': fill('x'),
  };
}

function* wrapLines(source: DrainSource, name: string, lines: () => string): Generator<HostileBody> {
  const splitLines = (): string[] => lines().split('\n', 3_000);
  if (source === 'aws-firehose') {
    const encoded = (line: Buffer): string => `{"data":"${line.toString('base64')}"}`;
    yield* plainAndCompressed(`records: ${name}`, () =>
      toFirehoseBody(
        splitLines()
          .map((line) => encoded(Buffer.from(line)))
          .join(','),
      ),
    );
    yield* plainAndCompressed(`a record: ${name}`, () => toFirehoseBody(encoded(gzip(Buffer.from(lines())))));
  } else if (source === 'opentelemetry') {
    const records = (): object[] =>
      splitLines().map((line) => ({
        body: { stringValue: line },
        attributes: [
          { key: 'http.request.method', value: { stringValue: 'GET' } },
          { key: line.slice(0, 9_000), value: { stringValue: line.slice(0, 20_000) } },
        ],
      }));
    yield* plainAndCompressed(`records: ${name}`, () =>
      toOpenTelemetryBody(
        records()
          .map((record) => JSON.stringify(record))
          .join(','),
      ),
    );
    yield* plainAndCompressed(`records of protobuf: ${name}`, () => encodedRecords(records()), PROTOBUF_TYPE);
  } else {
    yield* plainAndCompressed(name, lines);
    const element = (line: string): string => (/^[{[]/.test(line) ? line : JSON.stringify(line));
    yield* plainAndCompressed(`an array: ${name}`, () => `[${splitLines().map(element).join(',')}]`);
  }
}

function* plainAndCompressed(
  name: string,
  content: () => string | Buffer,
  headers = JSON_TYPE,
): Generator<HostileBody> {
  yield { name, headers, bytes: () => Buffer.from(content()).subarray(0, DRAIN_LIMITS.bytes) };
  const packed = (): Buffer => gzip(Buffer.from(content()));
  yield { name: `${name}, gzip`, headers: { ...headers, 'content-encoding': 'gzip' } as typeof headers, bytes: packed };
}

const toFirehoseBody = (records: string): string => `{"requestId":"x","timestamp":1,"records":[${records}]}`;
const toOpenTelemetryBody = (records: string): string =>
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`;

function* firehoseBodies(): Generator<HostileBody> {
  const damagedBomb = (): Buffer => {
    const copy = Buffer.from(bomb('gzip'));
    copy.writeUInt32LE(crc32('something else'), copy.length - 8);
    return copy;
  };
  const records: Record<string, () => Buffer[]> = {
    'damaged bombs': () => Array<Buffer>(118).fill(damagedBomb()),
    'truncated bombs': () => Array<Buffer>(100).fill(bomb('gzip').subarray(0, -9)),
    'a record of 127 MiB': () => [gzip(Buffer.alloc(127 * MIB))],
    'a bomb within a record': () => [gzip(bomb('gzip'))],
    'blank lines in a record': () => [gzip(Buffer.alloc(120 * MIB, '\n'))],
    'tiny compressed records': () => Array<Buffer>(50_000).fill(gzip(Buffer.from('x'))),
    'empty records': () => Array<Buffer>(300_000).fill(Buffer.alloc(0)),
    'events that are not JSON': () => [gzip(Buffer.from(`{"logEvents"${'\n'.repeat(DOCUMENT_BYTES)}`))],
    'events with values that are not JSON': () => [Buffer.from('{"logEvents":[{"message":x}]}')],
  };
  for (const [name, buffers] of Object.entries(records)) {
    yield* plainAndCompressed(name, () =>
      toFirehoseBody(
        buffers()
          .map((data) => `{"data":"${data.toString('base64')}"}`)
          .join(','),
      ),
    );
  }
  yield* plainAndCompressed('a long record that is not base64', () =>
    toFirehoseBody(`{"data":"${'A'.repeat(DOCUMENT_BYTES)}!"}`),
  );
}

const { root } = protobuf.parse(`syntax = "proto3";
message Request { repeated ResourceLogs resource_logs = 1; }
message ResourceLogs { repeated ScopeLogs scope_logs = 2; }
message ScopeLogs { repeated Record log_records = 2; }
message Record { fixed64 time_unix_nano = 1; Value body = 5; repeated KeyValue attributes = 6; }
message KeyValue { string key = 1; Value value = 2; }
message Value { oneof value { string string_value = 1; } }`);
const Request = root.lookupType('Request');

function encodedRecords(logRecords: object[]): Buffer {
  const request = Request.fromObject({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  return Buffer.from(Request.encode(request).finish());
}

function* protobufBodies(): Generator<HostileBody> {
  const [resource, scope, record, attribute] = [0x0a, 0x12, 0x12, 0x32];
  const empty = (tag: number, bytes = DOCUMENT_BYTES): Buffer => Buffer.alloc(bytes, Buffer.from([tag, 0]));
  const attributes = Array.from({ length: 2_500 }, (_, index) => ({ key: `${index}`, value: { stringValue: 'x' } }));
  const bodies: Record<string, () => Buffer> = {
    'empty resources': () => empty(resource),
    'empty fields of another number': () => empty(0x1a),
    numbers: () => empty(0x08),
    'groups within groups': () => Buffer.alloc(DOCUMENT_BYTES, 0x0b),
    'empty records': () => nestMessages([resource, scope], empty(record, 190_000)),
    'an attribute of empty fields': () => nestMessages([resource, scope, record, attribute], empty(0x0a)),
    'a long text': () =>
      encodedRecords([{ body: { stringValue: repeatToBytes(TEXTS['open quotes and colons']!, 14 * MIB) } }]),
    'many attributes': () => encodedRecords(Array.from({ length: 300 }, () => ({ attributes }))),
  };
  for (const [name, bytes] of Object.entries(bodies))
    yield* plainAndCompressed(`protobuf: ${name}`, bytes, PROTOBUF_TYPE);
}

/** Returns nested protobuf messages. `tags` contains the fields' tag bytes, outermost first. */
function nestMessages(tags: readonly number[], content: Buffer): Buffer {
  return tags.reduceRight((inner, tag) => Buffer.concat([Buffer.from([tag]), varint(inner.length), inner]), content);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}
