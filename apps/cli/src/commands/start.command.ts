import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';

const HELP = `
Environment, most of all:
  PORT       port of the dashboard and the API (default: 3000)
  DATA_DIR   folder that everything is kept in (default: ./data)
docs/configuration.md has all variables. Ctrl-C stops it; the next start continues with its data.`;

export function startCommand(root: string, exit: (code: number) => void): Command {
  return new Command('start')
    .description('start Agent Traffic: all services in one process, with a PostgreSQL of their own')
    .addHelpText('after', HELP)
    .action(async () => exit(await untilStopped(root)));
}

/** Runs the same script as `npm start`, in the current folder. @returns the exit code. */
function untilStopped(root: string): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'apps/start.mjs'), 'standalone'], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new CliError(`could not start: ${error.message}`)));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
