import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Operating system data about another process. Zombies count as exited, because in a container they may never be
 * reaped.
 */
export interface ProcessInfo {
  /** Opaque start time. It distinguishes processes that had the same ID, even across reboots. */
  started: string;
  /** Command line with arguments joined by spaces. */
  command: string;
  /** Undefined if unreadable, e.g. in a container without SYS_PTRACE. */
  workingDirectory: string | undefined;
}

/** Returns undefined if the process doesn't exist, or `unknown` if it can't be inspected. */
export async function readProcessInfo(pid: number): Promise<ProcessInfo | 'unknown' | undefined> {
  if (!exists(pid)) return undefined;
  try {
    return process.platform === 'linux' ? await readFromProc(pid) : await readFromPs(pid);
  } catch {
    return exists(pid) ? 'unknown' : undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

// See proc(5). The command name in parentheses may contain spaces and parentheses, so count fields after the last one.
// Field 3 is the state. Field 22 is the start time in clock ticks since boot, so the boot ID is needed too.
async function readFromProc(pid: number): Promise<ProcessInfo | undefined> {
  const [stat, bootId, commandLine, workingDirectory] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readlink(`/proc/${pid}/cwd`).catch(() => undefined),
  ]);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return {
    started: `${bootId.trim()}:${fields[19]}`,
    command: commandLine.replaceAll('\0', ' ').trim(),
    workingDirectory,
  };
}

async function readFromPs(pid: number): Promise<ProcessInfo | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'state=,lstart=,command=', '-p', String(pid)], {
    env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
  });
  // Example: "Ss   Mon Nov 17 10:11:12 2025     /path/to/postgres -D /data"
  const [state, ...words] = stdout.trim().split(/( +)/);
  if (words.length < 12 || state!.startsWith('Z')) return undefined;
  const started = words.slice(0, 10).join('').replaceAll(/ +/g, ' ').trim();
  return { started, command: words.slice(11).join(''), workingDirectory: undefined };
}
