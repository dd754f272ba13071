import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyDatabase, createDataSource, isInUse, migrate, SecretBox, type RunStatement } from '#libs/database';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { createLogger } from '#libs/platform';
import { resealInTransaction } from '../../../console/src/secret-rotation.repository.js';
import { acquireInstanceLock } from '../../../standalone/src/instance-lock.js';
import { CliError } from '../cli-error.js';
import { PREVIOUS_KEY_FILE } from '../secrets.js';
import { count } from '../terminal-text.js';

type Database = ReturnType<typeof createDataSource>;

const VISIT_TABLES = new Set(['visits', 'unknown_visits']);

/**
 * Copies the data of a stopped instance with an embedded database to a deployment's database, in one transaction. The
 * target must be migrated and empty. The source's schema is migrated, but its data isn't changed.
 *
 * @param secretKey The deployment's SECRET_KEY, with which secrets are re-encrypted.
 */
export async function moveEmbedded(
  folder: string,
  target: Database,
  secretKey: string,
  tell: (line: string) => void,
): Promise<void> {
  const dataDirectory = resolve(folder);
  const keys = await readKeys(dataDirectory);
  if (await isInUse(target)) {
    throw new CliError('The database in DATABASE_URL already contains projects, accounts, visits or an audit log.', {
      hint: 'Nothing was changed. Set DATABASE_URL to a new database.',
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
        onTable: (table, rows) => void (VISIT_TABLES.has(table) && tell(`Copied ${count(rows)} rows to ${table}.`)),
        beforeCommit: (run) => reseal(run, [secretKey, ...keys], dataDirectory),
      });
    } finally {
      if (source.isInitialized) await source.destroy();
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
  tell(`Copied all data from ${dataDirectory}. The original data is unchanged.`);
}

/**
 * Re-encrypts secrets with the newest key.
 *
 * @param keys Keys, newest first.
 * @throws {CliError} if a secret can't be decrypted with any of the keys.
 */
async function reseal(run: RunStatement, keys: readonly string[], dataDirectory: string): Promise<void> {
  let unreadable = 0;
  for (let index = keys.length - 1; index > 0; index -= 1) {
    ({ unreadable } = await resealInTransaction(run, new SecretBox(keys[index - 1]!, keys[index])));
  }
  if (unreadable === 0) return;
  throw new CliError(
    `The key in ${dataDirectory} can't decrypt all of the instance's secrets (${count(unreadable)} remaining).`,
    {
      hint: `Nothing was changed. Write the SECRET_KEY that the instance used to ${join(dataDirectory, 'secret-key')} and try again.`,
    },
  );
}

/** Returns the instance's key and, during a rotation, its previous key. */
async function readKeys(dataDirectory: string): Promise<string[]> {
  try {
    const key = await readFile(join(dataDirectory, 'secret-key'), 'utf8');
    const previous = await readFile(join(dataDirectory, PREVIOUS_KEY_FILE), 'utf8').catch(nullIfMissing);
    return [key, previous].filter((text) => text !== null).map((text) => text.trim());
  } catch (error) {
    throw new CliError(`No instance found in ${dataDirectory}: ${(error as Error).message}`, {
      hint: 'Pass the DATA_DIR of the stopped instance.',
      cause: error,
    });
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}
