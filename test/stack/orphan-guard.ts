/** Ends the servers of a process that died without doing so itself, as by `kill -9`. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

// Reads `+ pid` and `- pid`; its standard input ends when the process it guards is gone.
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

/** From now on the process group ends with this process. */
export const guardGroup = (pid: number): void => tell(`+ ${pid}`);

export const releaseGroup = (pid: number): void => tell(`- ${pid}`);

function tell(line: string): void {
  guard ??= startGuard();
  guard.stdin!.write(`${line}\n`);
}

function startGuard(): ChildProcess {
  // In a session of its own: Ctrl-C is for us.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  (child.stdin as Socket).unref();
  child.stdin!.on('error', () => undefined);
  return child;
}
