import { crc32 } from 'node:zlib';
import { DRAIN_LIMITS } from '#libs/contracts';
import type { DrainSource } from '#libs/drains';
import protobuf from 'protobufjs';
import { bomb, compressedBodies, filled, gzip, JSON_TYPE, MIB, STRUCTURES, TEXTS, type HostileBody } from './bodies.js';

const { lineBytes } = DRAIN_LIMITS;
/** Document size in bytes, just below the limit. */
const DOCUMENT_BYTES = 15 * MIB;
/** Number of maximum-length lines, more than are processed at a time. */
const LONG_LINES = 40;
const PROTOBUF_TYPE = { 'content-type': 'application/x-protobuf' };

type Texts = Record<string, () => string>;

/** Yields hostile bodies for a source, most of them both plain and compressed. */
export function* drainBodies(source: DrainSource): Generator<HostileBody> {
  for (const [name, lines] of Object.entries(hostileLines())) yield* wrapped(source, name, lines);
  for (const [name, structureOf] of Object.entries(STRUCTURES)) {
    const structure = (): string => structureOf(DOCUMENT_BYTES / 3);
    yield* bothForms(name, () => structureOf(DOCUMENT_BYTES));
    yield* bothForms(`an object of ${name}`, () => `{\n"records":${structure()},"resourceLogs":${structure()}}`);
    yield* bothForms(`a record of ${name}`, () => firehose(`{"data":${structure()}}`));
    yield* bothForms(`an attribute of ${name}`, () => exported(`{"attributes":${structure()},"body":${structure()}}`));
  }
  for (const encoding of ['gzip', 'zstd']) yield* compressedBodies(encoding, Buffer.from('a line\n'.repeat(100_000)));
  yield* firehoseBodies();
  yield* protobufBodies();
}

/** Lines for any source, before they are wrapped in its format. */
function hostileLines(): Texts {
  const lines: Texts = {};
  for (const [name, unit] of Object.entries(TEXTS)) {
    const text = filled(unit, 30_000);
    const inQuotes = text.replaceAll('"', '');
    const path = inQuotes.slice(0, 8_000);
    const request = `203.0.113.7 - - [21/Nov/2026:08:30:00 +0000] "GET /a?${path} HTTP/1.1" 200 5 "-" "${inQuotes}"`;
    const headers = { [text.slice(0, 500)]: [text.slice(0, 10_000)] };
    const caddy = { ts: 1, request: { remote_ip: '203.0.113.7', method: 'GET', uri: '/a', headers }, status: 200 };
    lines[`a line of ${name}`] = () => filled(unit, DOCUMENT_BYTES);
    lines[`lines of ${name}`] = () => `${filled(unit, lineBytes - 100)}\n`.repeat(LONG_LINES);
    lines[`requests with ${name}`] = () => `${request}\n`.repeat(LONG_LINES);
    lines[`objects with ${name}`] = () => `${JSON.stringify(caddy)}\n`.repeat(LONG_LINES);
  }
  for (const [name, structureOf] of Object.entries(STRUCTURES)) {
    lines[`lines of ${name}`] = () => `${structureOf(lineBytes - 100)}\n`.repeat(LONG_LINES);
    const member = (): string => structureOf(lineBytes / 3);
    lines[`members of ${name}`] = () => `{"time":${member()},"request":${member()}}\n`.repeat(LONG_LINES);
  }
  lines['blank lines'] = () => '\n'.repeat(DOCUMENT_BYTES);
  lines['short lines'] = () => 'x\n'.repeat(DOCUMENT_BYTES / 2);
  lines['as many short lines as there may be'] = () => 'x\n'.repeat(DRAIN_LIMITS.lines);
  return lines;
}

function* wrapped(source: DrainSource, name: string, lines: () => string): Generator<HostileBody> {
  const some = (): string[] => lines().split('\n', 3_000);
  if (source === 'aws-firehose') {
    const encoded = (line: Buffer): string => `{"data":"${line.toString('base64')}"}`;
    yield* bothForms(`records: ${name}`, () =>
      firehose(
        some()
          .map((line) => encoded(Buffer.from(line)))
          .join(','),
      ),
    );
    yield* bothForms(`a record: ${name}`, () => firehose(encoded(gzip(Buffer.from(lines())))));
  } else if (source === 'opentelemetry') {
    const records = (): object[] =>
      some().map((line) => ({
        body: { stringValue: line },
        attributes: [
          { key: 'http.request.method', value: { stringValue: 'GET' } },
          { key: line.slice(0, 9_000), value: { stringValue: line.slice(0, 20_000) } },
        ],
      }));
    yield* bothForms(`records: ${name}`, () =>
      exported(
        records()
          .map((record) => JSON.stringify(record))
          .join(','),
      ),
    );
    yield* bothForms(`records of protobuf: ${name}`, () => encodedRecords(records()), PROTOBUF_TYPE);
  } else {
    yield* bothForms(name, lines);
    const element = (line: string): string => (/^[{[]/.test(line) ? line : JSON.stringify(line));
    yield* bothForms(`an array: ${name}`, () => `[${some().map(element).join(',')}]`);
  }
}

function* bothForms(name: string, content: () => string | Buffer, headers = JSON_TYPE): Generator<HostileBody> {
  yield { name, headers, bytes: () => Buffer.from(content()).subarray(0, DRAIN_LIMITS.bytes) };
  const packed = (): Buffer => gzip(Buffer.from(content()));
  yield { name: `${name}, gzip`, headers: { ...headers, 'content-encoding': 'gzip' } as typeof headers, bytes: packed };
}

const firehose = (records: string): string => `{"requestId":"x","timestamp":1,"records":[${records}]}`;
const exported = (records: string): string => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`;

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
  };
  for (const [name, buffers] of Object.entries(records)) {
    yield* bothForms(name, () =>
      firehose(
        buffers()
          .map((data) => `{"data":"${data.toString('base64')}"}`)
          .join(','),
      ),
    );
  }
  yield* bothForms('a long record that is not base64', () => firehose(`{"data":"${'A'.repeat(DOCUMENT_BYTES)}!"}`));
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
    'empty records': () => within([resource, scope], empty(record, 190_000)),
    'an attribute of empty fields': () => within([resource, scope, record, attribute], empty(0x0a)),
    'a long text': () =>
      encodedRecords([{ body: { stringValue: filled(TEXTS['open quotes and colons']!, 14 * MIB) } }]),
    'many attributes': () => encodedRecords(Array.from({ length: 300 }, () => ({ attributes }))),
  };
  for (const [name, bytes] of Object.entries(bodies)) yield* bothForms(`protobuf: ${name}`, bytes, PROTOBUF_TYPE);
}

/** Returns nested protobuf messages. `tags` are the tag bytes of the fields, outermost first. */
function within(tags: readonly number[], content: Buffer): Buffer {
  return tags.reduceRight((inner, tag) => Buffer.concat([Buffer.from([tag]), varint(inner.length), inner]), content);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}
