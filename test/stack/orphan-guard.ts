/** Kills servers that this process leaves behind if it dies without stopping them, for example after `kill -9`. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

// Reads `+ PID` and `- PID` lines. stdin closes when the guarded process dies.
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

/** Kills the process group once this process has exited. */
export const guardGroup = (pid: number): void => sendToGuard(`+ ${pid}`);

export const releaseGroup = (pid: number): void => sendToGuard(`- ${pid}`);

function sendToGuard(line: string): void {
  guard ??= startGuard();
  guard.stdin!.write(`${line}\n`);
}

function startGuard(): ChildProcess {
  // Start the guard in a separate session, so that Ctrl-C doesn't stop it.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  (child.stdin as Socket).unref();
  child.stdin!.on('error', () => undefined);
  return child;
}
