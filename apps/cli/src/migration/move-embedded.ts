import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyDatabase, createDataSource, isInUse, migrate, SecretBox, type RunStatement } from '#libs/database';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { createLogger } from '#libs/platform';
import { resealWith } from '../../../console/src/secret-rotation.repository.js';
import { acquireInstanceLock } from '../../../standalone/src/instance-lock.js';
import { CliError } from '../cli-error.js';
import { PREVIOUS_KEY_FILE } from '../secrets.js';
import { count } from '../terminal-text.js';

type Database = ReturnType<typeof createDataSource>;

const VISIT_TABLES = new Set(['visits', 'unknown_visits']);

/**
 * Copies the data of an instance with an embedded database to the database of a deployment, in one transaction. The
 * instance must be stopped. Its schema is migrated, but its data stays. The target must be migrated and empty.
 *
 * @param secretKey SECRET_KEY of the deployment. Secrets are re-encrypted with it.
 */
export async function moveEmbedded(
  folder: string,
  target: Database,
  secretKey: string,
  tell: (line: string) => void,
): Promise<void> {
  const dataDirectory = resolve(folder);
  const keys = await keysOf(dataDirectory);
  if (await isInUse(target)) {
    throw new CliError('The database in DATABASE_URL already has projects, accounts, visits or an audit log.', {
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
        beforeCommit: (run) => reseal(run, [secretKey, ...keys], dataDirectory),
      });
    } finally {
      if (source.isInitialized) await source.destroy();
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
  tell(`Moved everything from ${dataDirectory}, which is left as it was.`);
}

/**
 * Re-encrypts secrets with the first key.
 *
 * @param keys Newest first.
 * @throws CliError if a secret can't be decrypted with any key.
 */
async function reseal(run: RunStatement, keys: readonly string[], dataDirectory: string): Promise<void> {
  let unreadable = 0;
  for (let index = keys.length - 1; index > 0; index -= 1) {
    ({ unreadable } = await resealWith(run, new SecretBox(keys[index - 1]!, keys[index])));
  }
  if (unreadable === 0) return;
  throw new CliError(
    `The key in ${dataDirectory} does not decrypt all secrets of the instance (${count(unreadable)} are left).`,
    {
      hint: `Write the SECRET_KEY that the instance ran with into ${join(dataDirectory, 'secret-key')}. Nothing was changed.`,
    },
  );
}

/** Returns the key of the instance, followed by its previous key during a rotation. */
async function keysOf(dataDirectory: string): Promise<string[]> {
  try {
    const key = await readFile(join(dataDirectory, 'secret-key'), 'utf8');
    const previous = await readFile(join(dataDirectory, PREVIOUS_KEY_FILE), 'utf8').catch(ifMissing);
    return [key, previous].filter((text) => text !== null).map((text) => text.trim());
  } catch (error) {
    throw new CliError(`There is no instance in ${dataDirectory}: ${(error as Error).message}`, {
      hint: 'Name the folder that was DATA_DIR.',
      cause: error,
    });
  }
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}
