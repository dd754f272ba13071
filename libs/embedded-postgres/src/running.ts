import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NAME } from './cluster.js';
import { failure } from './command.js';
import { clusterOf } from './home.js';

/**
 * Finds the database server of the instance that another process runs on `DATA_DIR`.
 * @returns Connection URL with the password, and the folder of the cluster.
 * @throws Error if this user can't read the required files, or if the server is not listening yet.
 */
export async function runningPostgres(dataDirectory: string): Promise<{ url: string; cluster: string }> {
  const cluster = await clusterOf(dataDirectory);
  try {
    const password = (await readFile(join(dataDirectory, 'postgres-password'), 'utf8')).trim();
    // Line 4 is the port (LOCK_FILE_LINE_PORT in PostgreSQL's utils/pidfile.h).
    const port = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[3]);
    return { url: `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`, cluster };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw failure(
        `The instance in ${dataDirectory} has no embedded database that runs. If it was just started, try again; if DATABASE_URL is set, back up that PostgreSQL with pg_dump.`,
      );
    }
    throw failure(
      `The database can't be read (${message}). Run this as root, or as the user that the instance runs as.`,
    );
  }
}
