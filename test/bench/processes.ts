/** What the system says of processes; 0 where it does not tell. */
import { readFile, writeFile } from 'node:fs/promises';

const TICK_MS = 10;
const lastSeen = new Map<number, number>();

/** Milliseconds that these processes have used, until they ended at most. */
export async function processorTime(processes: readonly number[]): Promise<number> {
  let sum = 0;
  for (const id of processes) {
    const times = await timesOf(id);
    if (times !== null) lastSeen.set(id, times.own);
    sum += lastSeen.get(id) ?? 0;
  }
  return sum;
}

/** Milliseconds that a process and its children have used, those that ended among them. @param others children left out. */
export async function familyTime(id: number, others: readonly number[] = []): Promise<number> {
  let sum = 0;
  for (const child of await childrenOf(id)) if (!others.includes(child)) sum += (await timesOf(child))?.own ?? 0;
  const times = await timesOf(id);
  return sum + (times?.own ?? 0) + (times?.endedChildren ?? 0);
}

/** Processes that a process started, and those that they started, by what they were started with. */
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

/** Milliseconds that this process has used. */
export function ownTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds that children of this process have used that ended. */
export const endedChildrenTime = async (): Promise<number> => (await timesOf('self'))?.endedChildren ?? 0;

/** The process that started another. */
export const parentOf = async (id: number): Promise<number> => (await timesOf(id))?.parent ?? 0;

/** Megabytes that processes have in memory now, or had at most since {@link forgetPeak}. */
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
  /** Milliseconds. */
  own: number;
  endedChildren: number;
}

async function timesOf(id: number | 'self'): Promise<Times | null> {
  const text = await read(`/proc/${id}/stat`);
  if (text === '') return null;
  // The name, in brackets, may hold anything.
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
