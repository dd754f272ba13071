import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';

const HELP = `
Main environment variables (for the full list, see docs/configuration.md):
  PORT       port of the dashboard and the API (default: 3000)
  DATA_DIR   folder for all data (default: ./data)

Press Ctrl-C to stop. All data is preserved for the next start.`;

export function startCommand(root: string, exit: (code: number) => void): Command {
  return new Command('start')
    .summary('run everything in one process, with its own database')
    .description('start Agent Traffic in standalone mode: all services in one process, with an embedded PostgreSQL')
    .addHelpText('after', HELP)
    .action(async () => exit(await runUntilStopped(root)));
}

/** Runs the same script as `npm start`, in the current folder. @returns the exit code. */
function runUntilStopped(root: string): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'apps/start.mjs'), 'standalone'], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new CliError(`Can't start Agent Traffic: ${error.message}`)));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
