import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs an SQL statement as a superuser and returns its rows. All calls must share one connection. */
export type QueryRows = (sql: string) => Promise<Record<string, unknown>[]>;

export interface BackupEntry {
  /** Path relative to the cluster folder, with forward slashes. */
  path: string;
  /** Size in bytes, or undefined for a folder. */
  size: number | undefined;
  /** Yields exactly `size` bytes, or nothing for a folder. */
  read(): AsyncIterable<Buffer>;
}

/**
 * Folders to back up without their contents. PostgreSQL recreates the contents at startup, or they're useless on
 * another server.
 */
const EMPTIED_FOLDER_PATH =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/(.*)/;
const WAL_FOLDERS = /^(archive_status|summaries)$/;
const EXCLUDED_NAME = /^(?:postmaster\.(?:pid|opts)$|backup_label|tablespace_map|pg_internal\.init|pgsql_tmp|t\d+_\d)/;
const WAL_SEGMENT = /^[0-9A-F]{24}$/;

const CHUNK_BYTES = 256 * 1024;
/**
 * Fills up files that become shorter during the copy. Their contents are corrected when the write-ahead log is
 * replayed.
 */
const ZERO_CHUNK = Buffer.alloc(CHUNK_BYTES);

/**
 * Yields a consistent copy of a running cluster.
 *
 * Data files are copied while the server writes to them, so the write-ahead log that repairs them comes next. The last
 * entry is `backup_label`. It makes PostgreSQL replay that log, so a backup without it is unusable.
 *
 * A temporary replication slot retains the log segments until the connection closes. See "Making a Base Backup Using
 * the Low Level API" in the PostgreSQL manual.
 *
 * @param onTotal Receives the total size in bytes before the first entry, excluding the write-ahead log.
 */
export async function* baseBackup(
  cluster: string,
  query: QueryRows,
  onTotal: (bytes: number) => void,
): AsyncGenerator<BackupEntry> {
  await query(`SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
  const [startResult] = await query(
    `SELECT pg_walfile_name(pg_backup_start('agent-traffic backup', fast => true)) AS segment`,
  );
  const entries = await listEntries(cluster);
  onTotal(entries.reduce((sum, { size }) => sum + (size ?? 0), 0));
  yield* entries;
  const [stopResult] = await query(
    `SELECT labelfile, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(wait_for_archive => false)`,
  );
  for (const name of (await readdir(join(cluster, 'pg_wal'))).toSorted()) {
    const isNeeded =
      WAL_SEGMENT.test(name) && name >= String(startResult!['segment']) && name <= String(stopResult!['segment']);
    if (isNeeded) yield* await fileEntries(cluster, `pg_wal/${name}`);
  }
  const label = Buffer.from(String(stopResult!['labelfile']));
  yield {
    path: 'backup_label',
    size: label.length,
    read: async function* () {
      yield label;
    },
  };
}

/**
 * Lists the files and folders to back up. Files that are created afterwards can be omitted, because the write-ahead log
 * contains their contents.
 */
async function listEntries(cluster: string): Promise<BackupEntry[]> {
  const names = await readdir(cluster, { recursive: true, withFileTypes: true });
  const entries: BackupEntry[] = [];
  for (const name of names) {
    const path = join(name.parentPath, name.name)
      .slice(cluster.length + 1)
      .replaceAll('\\', '/');
    const pathInEmptiedFolder = EMPTIED_FOLDER_PATH.exec(path)?.[2];
    if (EXCLUDED_NAME.test(name.name) || (pathInEmptiedFolder !== undefined && !WAL_FOLDERS.test(pathInEmptiedFolder)))
      continue;
    if (name.isDirectory()) entries.push({ path, size: undefined, read: async function* () {} });
    else if (name.isFile()) entries.push(...(await fileEntries(cluster, path)));
  }
  return entries;
}

/**
 * Returns the entry for a file, or an empty list if the file no longer exists. Such a file isn't needed, because its
 * table was dropped and the write-ahead log records that.
 */
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
  let remainingBytes = size;
  for await (const bytes of readUpTo(file, size)) {
    remainingBytes -= bytes.length;
    yield bytes;
  }
  for (; remainingBytes > 0; remainingBytes -= CHUNK_BYTES)
    yield ZERO_CHUNK.subarray(0, Math.min(remainingBytes, CHUNK_BYTES));
}

async function* readUpTo(file: string, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return;
  try {
    yield* createReadStream(file, { end: size - 1, highWaterMark: CHUNK_BYTES });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
