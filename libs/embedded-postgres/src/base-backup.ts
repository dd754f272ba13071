import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs one statement as a superuser. All calls must use the same connection. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

export interface BackupEntry {
  /** Path relative to the cluster, with forward slashes. */
  path: string;
  /** Size in bytes, or undefined for a folder. */
  size: number | undefined;
  /** Yields exactly `size` bytes, or nothing for a folder. */
  read(): AsyncIterable<Buffer>;
}

/** Folders that are backed up empty. Another server can't use their files, or recreates them at startup. */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/(.*)/;
const WAL_FOLDERS = /^(archive_status|summaries)$/;
/** Names, or prefixes of names, that are left out of the backup. */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)$|backup_label|tablespace_map|pg_internal\.init|pgsql_tmp|t\d+_\d)/;
const WAL_SEGMENT = /^[0-9A-F]{24}$/;

const PIECE_BYTES = 256 * 1024;
/** Padding for a file that shrank while it was read. Recovery from the write-ahead log corrects it. */
const ZEROS = Buffer.alloc(PIECE_BYTES);

/**
 * Yields a consistent copy of a running cluster. Data files come first, copied while the server writes to them. The
 * write-ahead log follows, which makes them consistent. The last entry is `backup_label`, which makes PostgreSQL
 * replay that log first. A copy without it is unusable.
 *
 * See "Making a Base Backup Using the Low Level API" in the PostgreSQL manual. A temporary replication slot retains the
 * log segments until the connection closes.
 *
 * @param onTotal Receives the total size in bytes, without the write-ahead log, before the first entry.
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

/** Files that are created later are covered by the write-ahead log. */
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

/** Returns an empty list if the file is gone. The write-ahead log records that its table was dropped. */
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
