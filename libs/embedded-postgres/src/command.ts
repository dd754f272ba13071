import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { parse } from 'node:path';

/** System user to run PostgreSQL as when this process runs as root. PostgreSQL doesn't run as root. */
export interface SystemUser {
  uid: number;
  gid: number;
  name: string;
}

/**
 * Starts a PostgreSQL program without this process's environment, which contains secrets and may set PGDATA or LC_ALL.
 * @throws {Error} if starting fails immediately. Later failures are emitted as `error` events.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  { user, env, ...options }: SpawnOptions & { user: SystemUser | undefined },
): ChildProcess {
  const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...env };
  try {
    return spawn(file, args, {
      // The other user may not be able to access the current working directory.
      cwd: parse(file).root,
      // On Windows, programs need most of the environment to start.
      ...(process.platform !== 'win32' && { env: cleanEnvironment }),
      ...(user && { uid: user.uid, gid: user.gid }),
      windowsHide: true,
      ...options,
    });
  } catch (error) {
    throw createError(`PostgreSQL didn't start: ${explainSpawnError(error as Error, file)}.`, [], error);
  }
}

/**
 * Runs a program until it exits.
 * @returns The program's combined stdout and stderr.
 * @throws {Error} with `purpose`, the cause and the last output lines.
 */
export function runProgram(
  purpose: string,
  file: string,
  args: readonly string[],
  { user, input }: { user?: SystemUser | undefined; input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = startProgram(file, args, { user, stdio: 'pipe' });
    let output = '';
    const collect = (data: string): void => void (output += data);
    // `stdout` and `stderr` are undefined if too many files are open, which the `error` event reports.
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => reject(createError(`${purpose}: ${explainSpawnError(error, file)}.`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(createError(`${purpose}: ${describeExit(code, signal)}. ${suggestFix(output)}`, output.split('\n')));
    });
    // Writing fails if the program exits early. The `close` event reports the cause.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

const MAX_OUTPUT_LINES = 12;

/** Creates an error with a message for the user, followed by the last PostgreSQL output lines. */
export function createError(sentence: string, lines: readonly string[] = [], cause?: unknown): Error {
  const lastLines = lines.filter((line) => line.trim() !== '').slice(-MAX_OUTPUT_LINES);
  return new Error([sentence, ...lastLines.map((line) => `  ${line}`)].join('\n'), { cause });
}

export function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
}

export function explainSpawnError(error: NodeJS.ErrnoException, file: string): string {
  switch (error.code) {
    case 'ENOENT':
      // The file exists, but its dynamic loader doesn't.
      return `${file} can't run on this system. It requires glibc, which Alpine Linux lacks. Use another image, or set DATABASE_URL to an existing PostgreSQL server`;
    case 'EACCES':
      return `${file} can't be executed. Check its permissions and that its folder isn't mounted noexec, or set DATABASE_URL to an existing PostgreSQL server`;
    case 'EPERM':
      return "this process isn't allowed to switch users, and PostgreSQL can't run as root. Start Agent Traffic as another user, or set DATABASE_URL to an existing PostgreSQL server";
    default:
      return `${file} can't be started (${error.message}). Set DATABASE_URL to an existing PostgreSQL server`;
  }
}

const FIXES: readonly [RegExp, string][] = [
  [
    /No space left on device|Disk quota exceeded|Check free disk space/i,
    'Free up disk space, then start Agent Traffic again.',
  ],
  [/could not look up effective user ID/, 'Start Agent Traffic as a user listed in /etc/passwd.'],
  [
    /error while loading shared libraries|Library not loaded/,
    'Run "npm rebuild", or set DATABASE_URL to an existing PostgreSQL server.',
  ],
  [/Permission denied/, "Check the folder's permissions, or set DATA_DIR to another folder."],
  [/Cannot allocate memory|could not map anonymous shared memory/, 'PostgreSQL needs about 300 MB of free memory.'],
];

export function suggestFix(output: string): string {
  const fix = FIXES.find(([pattern]) => pattern.test(output));
  return fix?.[1] ?? 'To use an existing PostgreSQL server instead, set DATABASE_URL. The last log lines follow.';
}
