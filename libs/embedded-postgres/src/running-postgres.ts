import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_NAME } from './cluster.js';
import { createError } from './command.js';
import { getClusterFolder } from './home.js';

/**
 * Finds the database server that another process runs for `DATA_DIR`.
 * @returns Connection URL including the password, and the cluster folder's path.
 * @throws {Error} if the current user can't read the required files or the server isn't listening yet.
 */
export async function findRunningPostgres(dataDirectory: string): Promise<{ url: string; cluster: string }> {
  const cluster = await getClusterFolder(dataDirectory);
  try {
    const password = (await readFile(join(dataDirectory, 'postgres-password'), 'utf8')).trim();
    // Line 4 is the port (LOCK_FILE_LINE_PORT in PostgreSQL's utils/pidfile.h).
    const port = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[3]);
    return { url: `postgres://${DATABASE_NAME}:${password}@127.0.0.1:${port}/${DATABASE_NAME}`, cluster };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw createError(
        `The instance in ${dataDirectory} has no running embedded database. If it was just started, try again. If it uses DATABASE_URL, back up that database with pg_dump.`,
      );
    }
    throw createError(
      `The database can't be read (${message}). Run this command as root or as the user that runs the instance.`,
    );
  }
}
