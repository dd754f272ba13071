import { execFile } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServerProcess } from '../stack/server-process.ts';
import type { Deployment } from './deployment.js';

const run = promisify(execFile);

/**
 * Starts a streaming replica of a deployment's PostgreSQL server from a base backup.
 *
 * @param url URL of the primary, for a superuser.
 */
export async function startReplica(deployment: Deployment, url: string, port: number): Promise<ServerProcess> {
  const { command } = deployment.process('postgres');
  const folder = join(deployment.stack.layout.options.data, `replica-${port}`);
  await mkdir(folder, { mode: 0o700 });
  const { user } = command;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const backupOptions = ['--checkpoint=fast', '--wal-method=stream', '--write-recovery-conf'];
  await run(deployment.postgresProgram('pg_basebackup'), ['--dbname', url, '--pgdata', folder, ...backupOptions], {
    ...user,
    cwd: '/',
  });
  // If an option is given twice, PostgreSQL uses the last one.
  const args = [...command.args, '-p', String(port), '-D', folder];
  return new ServerProcess({ ...command, args, port, isReady: async () => true }).start();
}
