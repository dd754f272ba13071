/** CPU time and memory of processes, read from `/proc`. Values that are unavailable count as 0. */
import { readFile, writeFile } from 'node:fs/promises';

const TICK_MS = 10;
const lastSeen = new Map<number, number>();

/** CPU time of these processes in milliseconds. A process that has exited counts with its last known value. */
export async function processorTime(processes: readonly number[]): Promise<number> {
  let sum = 0;
  for (const id of processes) {
    const times = await timesOf(id);
    if (times !== null) lastSeen.set(id, times.own);
    sum += lastSeen.get(id) ?? 0;
  }
  return sum;
}

/**
 * CPU time of a process and its children in milliseconds, including children that have exited.
 * @param others Children to leave out.
 */
export async function familyTime(id: number, others: readonly number[] = []): Promise<number> {
  let sum = 0;
  for (const child of await childrenOf(id)) if (!others.includes(child)) sum += (await timesOf(child))?.own ?? 0;
  const times = await timesOf(id);
  return sum + (times?.own ?? 0) + (times?.endedChildren ?? 0);
}

/** All descendants of a process: command line by process ID. */
export async function descendants(id: number): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const child of await childrenOf(id)) {
    found.set(child, (await read(`/proc/${child}/cmdline`)).replaceAll('\0', ' ').trim());
    for (const [other, command] of await descendants(child)) found.set(other, command);
  }
  return found;
}

const childrenOf = async (id: number): Promise<number[]> =>
  (await read(`/proc/${id}/task/${id}/children`)).split(' ').filter(Boolean).map(Number);

/** CPU time of this process in milliseconds. */
export function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** CPU time of this process's exited children in milliseconds. */
export const endedChildrenTime = async (): Promise<number> => (await timesOf('self'))?.endedChildren ?? 0;

export const parentOf = async (id: number): Promise<number> => (await timesOf(id))?.parent ?? 0;

/** Resident memory of processes in megabytes: the current value, or the peak since {@link forgetPeak}. */
export async function memory(processes: readonly number[], when: 'now' | 'peak'): Promise<number> {
  const field = when === 'now' ? /VmRSS:\s+(\d+) kB/ : /VmHWM:\s+(\d+) kB/;
  let sum = 0;
  for (const id of processes) sum += (Number(field.exec(await read(`/proc/${id}/status`))?.[1] ?? 0) * 1_024) / 1e6;
  return sum;
}

export async function forgetPeak(processes: readonly number[]): Promise<void> {
  for (const id of processes) await writeFile(`/proc/${id}/clear_refs`, '5');
}

interface Times {
  parent: number;
  /** CPU time in milliseconds. */
  own: number;
  endedChildren: number;
}

async function timesOf(id: number | 'self'): Promise<Times | null> {
  const text = await read(`/proc/${id}/stat`);
  if (text === '') return null;
  // The command name is in parentheses and can contain any character, including spaces and `)`.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return {
    parent: fields[1]!,
    own: (fields[11]! + fields[12]!) * TICK_MS,
    endedChildren: (fields[13]! + fields[14]!) * TICK_MS,
  };
}

const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
