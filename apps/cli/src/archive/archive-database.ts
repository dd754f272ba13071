import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource, databaseUrl } from '#libs/database';
import { withArchiveLock, type LockCheck } from '#libs/visit-store';
import { openLocalDatabase, requireInstance } from '../local-database.js';
import { note } from '../output.js';
import type { ArchiveCommandSettings } from './env.js';

type Database = ReturnType<typeof createDataSource>;

const LOCK_RETRY_MS = 1_000;

/** Runs `use` with a connection to the instance's database. */
export async function withDatabase<T>(
  settings: ArchiveCommandSettings,
  use: (dataSource: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(settings);
  const dataSource = createDataSource({ url: database.url, poolSize: 2, applicationName: 'archive command' });
  try {
    await dataSource.initialize();
    return await use(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.close();
  }
}

/** Waits until no other process is changing the archive, then runs `use` exclusively. */
export async function withExclusiveArchive(
  dataSource: Database,
  signal: AbortSignal,
  use: (checkLock: LockCheck) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; !(await withArchiveLock(dataSource, use)); attempt += 1) {
    if (attempt === 0) note('Another process is changing the archive. Waiting until it has finished …');
    await sleep(LOCK_RETRY_MS, undefined, { signal });
  }
}

async function openDatabase(settings: ArchiveCommandSettings): Promise<{ url: string; close: () => Promise<void> }> {
  const { DATABASE_URL: url, DATABASE_PASSWORD: password, DATA_DIR: folder } = settings;
  if (url !== undefined) return { url: databaseUrl(url, password), close: async () => {} };
  await requireInstance(resolve(folder));
  return openLocalDatabase(resolve(folder), 'archive');
}
