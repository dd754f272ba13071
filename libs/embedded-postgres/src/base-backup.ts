import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Sends one statement, always on the same connection, as a superuser. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** A file or folder of a backup. */
export interface BackupEntry {
  /** Within the cluster, with slashes; a folder's, too. */
  path: string;
  /** Bytes; `undefined` for a folder. */
  size: number | undefined;
  /** As many bytes as `size` says; nothing for a folder. */
  read(): AsyncIterable<Buffer>;
}

/** Their files are of no use to another server, or are made anew at its start; the folders are needed. */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/(.*)/;
const WAL_FOLDERS = /^(archive_status|summaries)$/;
/** Names, or how they begin. */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)$|backup_label|tablespace_map|pg_internal\.init|pgsql_tmp|t\d+_\d)/;
const WAL_SEGMENT = /^[0-9A-F]{24}$/;

const PIECE_BYTES = 256 * 1024;
/** Zeros, for a file that became shorter: the write-ahead log has what was there. */
const ZEROS = Buffer.alloc(PIECE_BYTES);

/**
 * Lists what a consistent copy of a running cluster is made of: its files as they are while others write, then the
 * write-ahead log that makes them consistent, and last `backup_label`, which tells PostgreSQL to read that log first. Without the last
 * entry a copy is not to be used.
 *
 * Source: the PostgreSQL manual, "Making a Base Backup Using the Low Level API". A temporary replication slot keeps the segments of the
 * log for as long as the connection lives.
 *
 * @param onTotal told the bytes that are to be read, but for the log, before the first entry.
 */
export async function* baseBackup(
  cluster: string,
  query: Query,
  onTotal: (bytes: number) => void,
): AsyncGenerator<BackupEntry> {
  await query(`SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
  const [begun] = await query(
    `SELECT pg_walfile_name(pg_backup_start('agent-traffic backup', fast => true)) AS segment`,
  );
  const entries = await listEntries(cluster);
  onTotal(entries.reduce((sum, { size }) => sum + (size ?? 0), 0));
  yield* entries;
  const [ended] = await query(
    `SELECT labelfile, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(wait_for_archive => false)`,
  );
  for (const name of (await readdir(join(cluster, 'pg_wal'))).toSorted()) {
    const isNeeded = WAL_SEGMENT.test(name) && name >= String(begun!['segment']) && name <= String(ended!['segment']);
    if (isNeeded) yield* await fileEntries(cluster, `pg_wal/${name}`);
  }
  const label = Buffer.from(String(ended!['labelfile']));
  yield {
    path: 'backup_label',
    size: label.length,
    read: async function* () {
      yield label;
    },
  };
}

/** What is created later is in the write-ahead log. */
async function listEntries(cluster: string): Promise<BackupEntry[]> {
  const names = await readdir(cluster, { recursive: true, withFileTypes: true });
  const entries: BackupEntry[] = [];
  for (const name of names) {
    const path = join(name.parentPath, name.name)
      .slice(cluster.length + 1)
      .replaceAll('\\', '/');
    const within = EMPTIED.exec(path)?.[2];
    if (LEFT_OUT.test(name.name) || (within !== undefined && !WAL_FOLDERS.test(within))) continue;
    if (name.isDirectory()) entries.push({ path, size: undefined, read: async function* () {} });
    else if (name.isFile()) entries.push(...(await fileEntries(cluster, path)));
  }
  return entries;
}

/** None if it is gone: a table that was dropped, which the log knows, too. */
async function fileEntries(cluster: string, path: string): Promise<BackupEntry[]> {
  const file = join(cluster, path);
  try {
    const { size } = await lstat(file);
    return [{ path, size, read: () => readExactly(file, size) }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function* readExactly(file: string, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const bytes of readUpTo(file, size)) {
    left -= bytes.length;
    yield bytes;
  }
  for (; left > 0; left -= PIECE_BYTES) yield ZEROS.subarray(0, Math.min(left, PIECE_BYTES));
}

async function* readUpTo(file: string, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return;
  try {
    yield* createReadStream(file, { end: size - 1, highWaterMark: PIECE_BYTES });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
