/** Reads the CPU time and memory of processes from `/proc`. Unavailable values count as 0. */
import { readFile, writeFile } from 'node:fs/promises';

const TICK_MS = 10;
const lastSeen = new Map<number, number>();

/** Returns the processes' total CPU time in milliseconds. An exited process counts with its last known value. */
export async function getCpuTimeMs(processes: readonly number[]): Promise<number> {
  let sum = 0;
  for (const id of processes) {
    const times = await readTimes(id);
    if (times !== null) lastSeen.set(id, times.ownMs);
    sum += lastSeen.get(id) ?? 0;
  }
  return sum;
}

/**
 * Returns the CPU time of a process and its children in milliseconds, including children that have exited.
 *
 * @param others Children to exclude.
 */
export async function getFamilyCpuTimeMs(id: number, others: readonly number[] = []): Promise<number> {
  let sum = 0;
  for (const child of await getChildIds(id)) if (!others.includes(child)) sum += (await readTimes(child))?.ownMs ?? 0;
  const times = await readTimes(id);
  return sum + (times?.ownMs ?? 0) + (times?.exitedChildrenMs ?? 0);
}

/** Returns all descendants of a process, as command lines by process ID. */
export async function getDescendants(id: number): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const child of await getChildIds(id)) {
    found.set(child, (await read(`/proc/${child}/cmdline`)).replaceAll('\0', ' ').trim());
    for (const [other, command] of await getDescendants(child)) found.set(other, command);
  }
  return found;
}

const getChildIds = async (id: number): Promise<number[]> =>
  (await read(`/proc/${id}/task/${id}/children`)).split(' ').filter(Boolean).map(Number);

/** Returns this process's CPU time in milliseconds. */
export function getOwnCpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the CPU time of this process's exited children in milliseconds. */
export const getExitedChildrenCpuTimeMs = async (): Promise<number> => (await readTimes('self'))?.exitedChildrenMs ?? 0;

export const getParentId = async (id: number): Promise<number> => (await readTimes(id))?.parent ?? 0;

/** Returns the processes' resident memory in megabytes: the current value, or the peak since {@link resetPeakMemory}. */
export async function getMemoryMb(processes: readonly number[], when: 'now' | 'peak'): Promise<number> {
  const field = when === 'now' ? /VmRSS:\s+(\d+) kB/ : /VmHWM:\s+(\d+) kB/;
  let sum = 0;
  for (const id of processes) sum += (Number(field.exec(await read(`/proc/${id}/status`))?.[1] ?? 0) * 1_024) / 1e6;
  return sum;
}

export async function resetPeakMemory(processes: readonly number[]): Promise<void> {
  for (const id of processes) await writeFile(`/proc/${id}/clear_refs`, '5');
}

interface Times {
  parent: number;
  /** CPU time in milliseconds. */
  ownMs: number;
  exitedChildrenMs: number;
}

async function readTimes(id: number | 'self'): Promise<Times | null> {
  const text = await read(`/proc/${id}/stat`);
  if (text === '') return null;
  // The command name is in parentheses and can contain any character, including spaces and `)`.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return {
    parent: fields[1]!,
    ownMs: (fields[11]! + fields[12]!) * TICK_MS,
    exitedChildrenMs: (fields[13]! + fields[14]!) * TICK_MS,
  };
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
