import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from './command.js';
import type { PostgresLog } from './server-log.js';
import { type ProcessInfo, processInfo } from './process-info.js';

const END_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/**
 * Stops the server that a killed process of ours left running on this cluster.
 * @returns the id in `postmaster.pid` if a process that has nothing to do with the cluster has it by now: PostgreSQL,
 *   which only looks whether there is such a process, has to be told (see `ServerProcess`).
 */
export async function stopOrphan(cluster: string, log: PostgresLog): Promise<number | undefined> {
  const pid = await postmasterId(cluster);
  if (pid === undefined) return undefined;
  const info = await processInfo(pid);
  // A zombie is not a process to us, but is one to PostgreSQL; if there is none at all, naming it does no harm.
  if (info === undefined) return pid;
  const whose = info === 'unknown' ? 'unknown' : whoseServer(info, cluster);
  if (whose === 'stranger') return pid;
  // PostgreSQL refuses to start if it is one of this cluster, and says so.
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

/** The process id in the first line of `postmaster.pid`. */
async function postmasterId(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Math.abs(Number.parseInt(text, 10));
  return Number.isSafeInteger(pid) && pid > 1 && pid !== process.pid ? pid : undefined;
}

/** Whether a process is the postmaster of this cluster. We start it with `-D`; it also makes the cluster its folder. */
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
