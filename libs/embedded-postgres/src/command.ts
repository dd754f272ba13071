import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { parse } from 'node:path';

/** User that runs PostgreSQL if we are root. PostgreSQL refuses to run as root. */
export interface SystemUser {
  uid: number;
  gid: number;
  name: string;
}

/**
 * Starts a PostgreSQL program without our environment, which contains secrets and may set PGDATA or LC_ALL.
 * @throws Error if the program can't be started and this is known at once. Otherwise the process emits `error`.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  { user, env, ...options }: SpawnOptions & { user: SystemUser | undefined },
): ChildProcess {
  const clean = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...env };
  try {
    return spawn(file, args, {
      // The other user may lack access to our working directory.
      cwd: parse(file).root,
      // Programs on Windows need most of the environment to start.
      ...(process.platform !== 'win32' && { env: clean }),
      ...(user && { uid: user.uid, gid: user.gid }),
      windowsHide: true,
      ...options,
    });
  } catch (error) {
    throw failure(`PostgreSQL did not start: ${explainSpawnError(error as Error, file)}.`, [], error);
  }
}

/**
 * Runs a program until it exits and returns its stdout and stderr.
 * @throws Error with `purpose`, the cause and the last lines of output.
 */
export function run(
  purpose: string,
  file: string,
  args: readonly string[],
  { user, input }: { user?: SystemUser | undefined; input?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = startProgram(file, args, { user, stdio: 'pipe' });
    let output = '';
    const collect = (data: string): void => void (output += data);
    // Missing if too many files are open, which the `error` event reports.
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => reject(failure(`${purpose}: ${explainSpawnError(error, file)}.`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(failure(`${purpose}: ${describeEnd(code, signal)}. ${nextStep(output)}`, output.split('\n')));
    });
    // Writing fails if the program exits early. The `close` event reports the cause.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

const LINES_SHOWN = 12;

/** Creates an error for the user: a sentence, followed by PostgreSQL's last lines of output. */
export function failure(sentence: string, lines: readonly string[] = [], cause?: unknown): Error {
  const shown = lines.filter((line) => line.trim() !== '').slice(-LINES_SHOWN);
  return new Error([sentence, ...shown.map((line) => `  ${line}`)].join('\n'), { cause });
}

export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

export function explainSpawnError(error: NodeJS.ErrnoException, file: string): string {
  switch (error.code) {
    case 'ENOENT':
      // The file exists, but the dynamic loader that it names does not.
      return `${file} can't run on this system. It needs glibc, which Alpine Linux lacks: use another image, or set DATABASE_URL to a PostgreSQL of yours`;
    case 'EACCES':
      return `${file} may not be executed. Check its permissions and that its folder isn't mounted noexec, or set DATABASE_URL to a PostgreSQL of yours`;
    case 'EPERM':
      return 'this process may not switch to another user, and PostgreSQL refuses to run as root. Start Agent Traffic as another user, or set DATABASE_URL to a PostgreSQL of yours';
    default:
      return `${file} can't be started (${error.message}). Set DATABASE_URL to a PostgreSQL of yours`;
  }
}

const NEXT_STEPS: readonly [RegExp, string][] = [
  [/No space left on device|Disk quota exceeded|Check free disk space/i, 'Free some disk space, then start again.'],
  [/could not look up effective user ID/, 'Start Agent Traffic as a user that is listed in /etc/passwd.'],
  [
    /error while loading shared libraries|Library not loaded/,
    'Run "npm rebuild", or set DATABASE_URL to a PostgreSQL of yours.',
  ],
  [/Permission denied/, 'Check the permissions of the folder, or set DATA_DIR to another one.'],
  [/Cannot allocate memory|could not map anonymous shared memory/, 'It needs about 300 MB of free memory.'],
];

export function nextStep(output: string): string {
  const known = NEXT_STEPS.find(([pattern]) => pattern.test(output));
  return known?.[1] ?? 'Its last log lines follow. To use a PostgreSQL of yours instead, set DATABASE_URL.';
}
