import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from './command.js';
import type { PostgresLog } from './server-log.js';
import { type ProcessInfo, processInfo } from './process-info.js';

const END_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/**
 * Stops a server that a killed process of ours left running on this cluster.
 * @returns Process ID in `postmaster.pid`, if no server uses it anymore. PostgreSQL only checks whether a process with
 *   this ID exists, so `ServerProcess` must make it ignore the ID.
 */
export async function stopOrphan(cluster: string, log: PostgresLog): Promise<number | undefined> {
  const pid = await postmasterId(cluster);
  if (pid === undefined) return undefined;
  const info = await processInfo(pid);
  // PostgreSQL takes a zombie for a running server. If there is no process at all, ignoring its ID is harmless.
  if (info === undefined) return pid;
  const whose = info === 'unknown' ? 'unknown' : whoseServer(info, cluster);
  if (whose === 'stranger') return pid;
  // If it does run on this cluster, PostgreSQL refuses to start and reports why.
  if (whose === 'unknown' || info === 'unknown') return undefined;
  log.warn({ pid }, 'stopping the PostgreSQL that an earlier run left behind');
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    sendSignal(pid, signal);
    if (await isGone(pid, info.started)) return undefined;
  }
  throw failure(
    `An earlier run left a PostgreSQL behind (process ${pid}) that doesn't stop. Stop it with "kill -9 ${pid}", then start again.`,
  );
}

/** Returns the process ID in the first line of `postmaster.pid`. It is negative there in single-user mode. */
async function postmasterId(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid ? pid : undefined;
}

/**
 * Returns whether a process is this cluster's postmaster. We start the postmaster with `-D`, and its working directory
 * is the cluster.
 */
function whoseServer(
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
    throw failure(
      `An earlier run left a PostgreSQL behind (process ${pid}) that can't be stopped (${message}). Stop it, then start again.`,
    );
  }
}

async function isGone(pid: number, started: string): Promise<boolean> {
  for (const deadline = Date.now() + END_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const info = await processInfo(pid);
    if (info === undefined || (info !== 'unknown' && info.started !== started)) return true;
  }
  return false;
}
