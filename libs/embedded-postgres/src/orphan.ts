import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createError } from './command.js';
import type { PostgresLog } from './server-log.js';
import { type ProcessInfo, readProcessInfo } from './process-info.js';

const EXIT_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 50;

/**
 * Stops a server that was left running on this cluster when its parent process was killed.
 * @returns The process ID in `postmaster.pid` if it no longer belongs to a server on this cluster. PostgreSQL only
 *   checks that a process with this ID exists, so `ServerProcess` must make PostgreSQL ignore the ID.
 */
export async function stopOrphan(cluster: string, log: PostgresLog): Promise<number | undefined> {
  const pid = await readPostmasterPid(cluster);
  if (pid === undefined) return undefined;
  const info = await readProcessInfo(pid);
  // The process has exited or is a zombie. PostgreSQL mistakes a zombie for a running server, so it must ignore the ID.
  // If there is no such process, ignoring the ID does no harm.
  if (info === undefined) return pid;
  const ownership = info === 'unknown' ? 'unknown' : getServerOwnership(info, cluster);
  if (ownership === 'stranger') return pid;
  // It's unknown whether the process uses this cluster, so leave it running. If it does use the cluster, PostgreSQL
  // fails to start and reports the reason.
  if (ownership === 'unknown' || info === 'unknown') return undefined;
  log.warn({ pid }, 'stopping a PostgreSQL server left running by an earlier process');
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    sendSignal(pid, signal);
    if (await waitForExit(pid, info.started)) return undefined;
  }
  throw createError(
    `A PostgreSQL server from an earlier run (process ${pid}) doesn't stop. Run "kill -9 ${pid}", then start Agent Traffic again.`,
  );
}

/** The first line of `postmaster.pid` is negative in single-user mode. */
async function readPostmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid ? pid : undefined;
}

/**
 * Determines whether the process is a server on this cluster. A server is recognized by the `-D` option that we start
 * it with, or by its working directory, which is the cluster.
 */
function getServerOwnership(
  { command, workingDirectory }: Pick<ProcessInfo, 'command' | 'workingDirectory'>,
  cluster: string,
): 'ours' | 'stranger' | 'unknown' {
  if (!/(^|[/\\])postgres(\.exe)?(:? |$)/.test(command)) return 'stranger';
  if (`${command} `.includes(` -D ${cluster} `) || workingDirectory === cluster) return 'ours';
  return workingDirectory !== undefined || command.includes(' -D /') ? 'stranger' : 'unknown';
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return;
    throw createError(
      `A PostgreSQL server from an earlier run (process ${pid}) can't be stopped (${message}). Stop it, then start Agent Traffic again.`,
    );
  }
}

async function waitForExit(pid: number, started: string): Promise<boolean> {
  for (const deadline = Date.now() + EXIT_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
    const info = await readProcessInfo(pid);
    if (info === undefined || (info !== 'unknown' && info.started !== started)) return true;
  }
  return false;
}
