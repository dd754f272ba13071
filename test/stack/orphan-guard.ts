/** Kills the servers that this process leaves behind if it dies without stopping them, for example by `kill -9`. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

// Reads `+ pid` and `- pid` lines. stdin closes when the guarded process dies.
const SCRIPT = `
groups=
while read -r sign pid; do
  others=
  for one in $groups; do [ "$one" = "$pid" ] || others="$others $one"; done
  groups=$others
  [ "$sign" = + ] && groups="$groups $pid"
done
for one in $groups; do kill -KILL "-$one"; done
`;

let guard: ChildProcess | null = null;

/** Kills the process group when this process exits. */
export const guardGroup = (pid: number): void => tell(`+ ${pid}`);

export const releaseGroup = (pid: number): void => tell(`- ${pid}`);

function tell(line: string): void {
  guard ??= startGuard();
  guard.stdin!.write(`${line}\n`);
}

function startGuard(): ChildProcess {
  // Runs in a separate session, so Ctrl-C does not end it.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  (child.stdin as Socket).unref();
  child.stdin!.on('error', () => undefined);
  return child;
}
