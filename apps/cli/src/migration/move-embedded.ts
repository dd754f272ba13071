import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyDatabase, createDataSource, isInUse, migrate, SecretBox } from '#libs/database';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { createLogger } from '#libs/platform';
import { resealAll } from '../../../console/src/secret-rotation.repository.js';
import { acquireInstanceLock } from '../../../standalone/src/instance-lock.js';
import { CliError } from '../cli-error.js';
import { count } from '../terminal-text.js';

type Database = ReturnType<typeof createDataSource>;

const VISIT_TABLES = new Set(['visits', 'unknown_visits']);

/**
 * Moves what an instance with the embedded PostgreSQL has into the database of a deployment, which has to be migrated and without data: all of it
 * or nothing. The instance must not run; its data stays.
 *
 * @param secretKey SECRET_KEY of the deployment, under which secrets are encrypted anew.
 */
export async function moveEmbedded(
  folder: string,
  target: Database,
  secretKey: string,
  tell: (line: string) => void,
): Promise<void> {
  const dataDirectory = resolve(folder);
  const embeddedKey = await keyOf(dataDirectory);
  if (await isInUse(target)) {
    throw new CliError('The database in DATABASE_URL already has projects, accounts or visits.', {
      hint: 'Set DATABASE_URL to a new database. Nothing was changed.',
    });
  }
  const lock = await acquireInstanceLock(dataDirectory);
  try {
    const log = createLogger({ service: 'migrate', level: 'warn', pretty: true });
    const postgres = await EmbeddedPostgres.start({ dataDirectory, log });
    const source = createDataSource({ url: postgres.url, poolSize: 2, applicationName: 'migrate' });
    try {
      await source.initialize();
      await migrate(source);
      await copyDatabase(source, target, {
        onTable: (table, rows) => void (VISIT_TABLES.has(table) && tell(`Moved ${count(rows)} rows of ${table}.`)),
      });
    } finally {
      if (source.isInitialized) await source.destroy();
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
  if (embeddedKey !== secretKey) await resealAll(target, new SecretBox(secretKey, embeddedKey));
  tell(`Moved everything from ${dataDirectory}, which is left as it was.`);
}

async function keyOf(dataDirectory: string): Promise<string> {
  try {
    return (await readFile(join(dataDirectory, 'secret-key'), 'utf8')).trim();
  } catch (error) {
    throw new CliError(`There is no instance in ${dataDirectory}: ${(error as Error).message}`, {
      hint: 'Name the folder that was DATA_DIR.',
      cause: error,
    });
  }
}
