import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
// oxlint-disable-next-line no-restricted-imports -- Streams a local file.
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, Header, Parser, type ReadEntry } from 'tar';
import { CliError } from '../cli-error.js';

const BLOCK_BYTES = 512;
const FORMAT = 1;
const MANIFEST = 'backup.json';

export interface Manifest {
  format: typeof FORMAT;
  created_at: string;
  version: string;
  /** Platform that can read the database files, such as `linux-x64`. */
  platform: string;
  /** PostgreSQL version that can read the database files, such as `18`. */
  postgres: string;
}

export interface ArchiveEntry {
  path: string;
  /** Size in bytes, or undefined for a folder. */
  size: number | undefined;
  read(): AsyncIterable<Uint8Array>;
}

export function textEntry(path: string, text: string): ArchiveEntry {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, read: () => Readable.from([bytes]) };
}

export const manifestEntry = (manifest: Omit<Manifest, 'format'>): ArchiveEntry =>
  textEntry(MANIFEST, JSON.stringify({ format: FORMAT, ...manifest }, null, 2));

/** Writes a POSIX ustar file, compressed with zstd and a checksum. `tar --zstd -x` can extract it. */
export async function writeArchive(
  entries: AsyncIterable<ArchiveEntry>,
  output: NodeJS.WritableStream,
  { onBytes, signal }: { onBytes: (bytes: number) => void; signal: AbortSignal },
): Promise<void> {
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  await pipeline(tarBytes(entries, onBytes), compress, output, { signal });
}

async function* tarBytes(
  entries: AsyncIterable<ArchiveEntry>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const mtime = new Date();
  for await (const { path, size, read } of entries) {
    const isFolder = size === undefined;
    const block = Buffer.alloc(BLOCK_BYTES);
    new Header({
      path: isFolder ? `${path}/` : path,
      type: isFolder ? 'Directory' : 'File',
      mode: isFolder ? 0o700 : 0o600,
      size: size ?? 0,
      mtime,
    }).encode(block);
    yield block;
    for await (const bytes of read()) {
      onBytes(bytes.length);
      yield bytes;
    }
    const remainder = (size ?? 0) % BLOCK_BYTES;
    if (remainder > 0) yield Buffer.alloc(BLOCK_BYTES - remainder);
  }
  // Two empty blocks mark the end of the archive.
  yield Buffer.alloc(2 * BLOCK_BYTES);
}

/** Reads the manifest of a backup, which is its first entry. @throws {CliError} if the file isn't a supported backup. */
export async function readManifest(file: string): Promise<Manifest> {
  let text = '';
  const manifestRead = new AbortController();
  const parser = new Parser({ strict: true });
  parser.on('entry', (entry: ReadEntry) => {
    if (entry.path !== MANIFEST) return manifestRead.abort();
    entry.on('data', (bytes) => void (text += bytes.toString()));
    entry.on('end', () => manifestRead.abort());
  });
  const archiveStream = createReadStream(file);
  try {
    await pipeline(archiveStream, createZstdDecompress(), parser, { signal: manifestRead.signal });
  } catch (error) {
    const hasManifest = manifestRead.signal.aborted;
    if (!hasManifest && 'syscall' in (error as object)) throw unreadableError(file, (error as Error).message, error);
  }
  try {
    const manifest: Manifest = JSON.parse(text);
    if (manifest.format === FORMAT) return manifest;
    if (typeof manifest.format === 'number') {
      throw new CliError(`${file} was created by a newer release of Agent Traffic (${manifest.version}).`, {
        hint: 'Restore it with that release or a later one.',
      });
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
  }
  throw new CliError(`${file} isn't an Agent Traffic backup.`, {
    hint: 'Pass a file created by "agent-traffic backup".',
  });
}

/** Extracts files and folders, and skips other types of tar entries. @throws {CliError} if the file is damaged. */
export async function unpackArchive(
  file: string,
  folder: string,
  { onBytes, signal }: { onBytes: (bytes: number) => void; signal: AbortSignal },
): Promise<void> {
  const target = extract({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    filter: (_path, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory'),
  });
  const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      onBytes(chunk.length);
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(file), count, createZstdDecompress(), target, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw unreadableError(file, (error as Error).message, error);
  }
}

const unreadableError = (file: string, reason: string, cause: unknown): CliError =>
  new CliError(`Can't read the backup ${file}: ${reason}`, { cause });
