// oxlint-disable-next-line no-restricted-imports -- The Parquet libraries compress synchronously. Row groups are small.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects, type Compressors, type ParquetParsers } from 'hyparquet';
import { ByteWriter, ParquetWriter, schemaFromColumnData, type BasicType } from 'hyparquet-writer';
import { getHeader, getTimeFromId, type EnrichedVisit } from '#libs/contracts';
import { ARCHIVED_COLUMNS, type ArchivedVisit } from '#libs/visit-store';

/** Size at which a file is finished. Its compressed content is kept in memory, up to four times while it grows. */
const MAX_FILE_VISITS = 250_000;
const MAX_FILE_BYTES = 16 * 2 ** 20;
/** Maximum size of a row group, because writing one blocks the event loop. */
const MAX_GROUP_VISITS = 2_000;
const MAX_GROUP_BYTES = 4 * 2 ** 20;
/** Maximum size to read. Characters have up to three bytes, and columns repeat parts of the documents. */
const MAX_READ_GROUP_BYTES = 16 * MAX_GROUP_BYTES;

type Value = string | number | bigint | Date | null;

interface Column {
  name: string;
  type: BasicType;
  nullable: boolean;
  value: (visit: ArchivedVisit, document: EnrichedVisit) => Value;
}

const TYPES = { text: 'STRING', uuid: 'UUID', integer: 'INT32', number: 'DOUBLE' } as const;

const required = (name: string, type: BasicType, value: Column['value']): Column => ({
  name,
  type,
  nullable: false,
  value,
});
const optional = (name: string, type: BasicType, value: Column['value']): Column => ({
  name,
  type,
  nullable: true,
  value,
});
/** Returns null for values of the wrong type, which only the document contains. */
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const COLUMNS: readonly Column[] = [
  required('id', 'UUID', ({ id }) => id),
  required('project_id', 'UUID', ({ project_id }) => project_id),
  required('received_at', 'TIMESTAMP', ({ id }) => new Date(getTimeFromId(id))),
  required('occurred_at', 'TIMESTAMP', ({ occurred_at }) => new Date(occurred_at)),
  required('position', 'INT64', ({ position }) => BigInt(position)),
  optional('client_address', 'STRING', ({ client_address }) => client_address),
  optional('method', 'STRING', (_visit, { visit }) => text(visit.request_method)),
  optional('host', 'STRING', (_visit, { visit }) => getHeader(visit.request_headers, 'host')),
  optional('user_agent', 'STRING', (_visit, { visit }) => getHeader(visit.request_headers, 'user-agent')),
  optional('agent_token', 'STRING', (_visit, { identification }) => text(identification.agent_token)),
  ...ARCHIVED_COLUMNS.map(({ name, kind }) => optional(name, TYPES[kind], (visit) => visit[name] ?? null)),
  required('document', 'STRING', ({ document }) => document),
];

const SCHEMA = schemaFromColumnData({
  columnData: COLUMNS.map(({ name, type, nullable }) => ({ name, type, nullable, data: [] })),
});

/** Columns whose values are nearly all different, so searching them for repeated values would only cost time. */
const UNIQUE_COLUMNS = new Set(['id', 'position', 'document']);

const STORED_COLUMNS = [
  'id',
  'project_id',
  'occurred_at',
  'position',
  'client_address',
  ...ARCHIVED_COLUMNS.map(({ name }) => name),
  'document',
];

/** Builds a Parquet file in memory. */
export class VisitFileWriter {
  private readonly bytes = new ByteWriter();
  private readonly writer = new ParquetWriter({
    writer: this.bytes,
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    createdBy: 'agent-traffic',
  });
  private group: ArchivedVisit[] = [];
  private groupBytes = 0;
  visits = 0;

  /** True if the file has reached its maximum size. */
  get isFull(): boolean {
    return this.visits >= MAX_FILE_VISITS || this.bytes.offset >= MAX_FILE_BYTES;
  }

  add(visit: ArchivedVisit): void {
    this.group.push(visit);
    this.groupBytes += visit.document.length;
    this.visits += 1;
    if (this.group.length >= MAX_GROUP_VISITS || this.groupBytes >= MAX_GROUP_BYTES) this.writeGroup();
  }

  finish(): Uint8Array {
    if (this.group.length > 0) this.writeGroup();
    void this.writer.finish();
    return this.bytes.getBytes();
  }

  private writeGroup(): void {
    const visits = this.group;
    const documents = visits.map(({ document }) => JSON.parse(document) as EnrichedVisit);
    void this.writer.write({
      columnData: COLUMNS.map(({ name, value }) => ({
        name,
        data: visits.map((visit, index) => value(visit, documents[index]!)),
        ...(UNIQUE_COLUMNS.has(name) && { encoding: 'PLAIN' as const }),
      })),
      rowGroupSize: visits.length,
    });
    this.group = [];
    this.groupBytes = 0;
  }
}

/** Decompresses pages up to a total size. */
function createCompressors(maxBytes: number): Compressors {
  let remaining = maxBytes;
  return {
    ZSTD: (input, bytes) => {
      remaining -= bytes;
      if (remaining < 0) throw new Error(`A row group has more than ${maxBytes} bytes`);
      return zstdDecompressSync(input, { maxOutputLength: Math.max(bytes, 1) });
    },
  };
}

/** Decompression is limited only for these codecs. */
const CODECS = new Set<string | undefined>(['ZSTD', 'UNCOMPRESSED']);

/** Keeps byte order marks, which the default `TextDecoder` would remove. */
const parsers: Partial<ParquetParsers> = {
  stringFromBytes: (bytes: Uint8Array) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
};

export function countVisits(content: Uint8Array): number {
  return Number(parquetMetadata(toArrayBuffer(content)).num_rows);
}

/** Returns a file's visits, one row group at a time. */
export async function* readVisits(content: Uint8Array): AsyncGenerator<ArchivedVisit[]> {
  const file = toArrayBuffer(content);
  const metadata = parquetMetadata(file);
  // Files from earlier releases can lack columns.
  const names = new Set(metadata.schema.map(({ name }) => name));
  const columns = STORED_COLUMNS.filter((name) => names.has(name));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    if (group.num_rows > MAX_GROUP_VISITS) throw new Error(`A row group has ${group.num_rows} rows`);
    if (group.columns.some(({ meta_data: column }) => !CODECS.has(column?.codec)))
      throw new Error('A codec is unknown');
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      compressors: createCompressors(MAX_READ_GROUP_BYTES),
      parsers,
    });
    yield rows.map(toVisit);
    rowStart = rowEnd;
  }
}

function toVisit(row: Record<string, unknown>): ArchivedVisit {
  const visit: Record<string, unknown> = {};
  for (const name of STORED_COLUMNS) visit[name] = row[name] ?? null;
  visit['occurred_at'] = (row['occurred_at'] as Date).getTime();
  visit['position'] = String(row['position']);
  return visit as ArchivedVisit;
}

/** Copies the content only if it's part of a larger buffer. */
const toArrayBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  (byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
