/**
 * Speed as ratios: ours and a named peer in turn, in the same run. Absolute figures tell about the machine and are
 * printed beside.
 *
 *   npm run bench              functions by themselves, then the standalone: about four minutes
 *   npm run bench -- --micro   only the functions: every *.bench.ts here, each in a process of its own
 *   npm run bench -- --stack   each service on its own, on Kafka, Redis and PostgreSQL
 *   npm run bench -- --servers what refusing agents costs nginx, Apache, Caddy and HAProxy
 *   npm run bench -- --overload more visits than can be stored; with --stack on Kafka
 *   npm run bench -- --reading what the dashboard reads, with ten million visits
 *   npm run bench -- --quick   one short round, to see that it works
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, execPath } from 'node:process';

if (argv.includes('--overload')) {
  await import('./overload.ts');
} else if (argv.includes('--stack')) {
  await import('./distributed.ts');
} else if (argv.includes('--servers')) {
  await import('./servers.ts');
} else if (argv.includes('--reading')) {
  await import('./reading.ts');
} else {
  await runMicro();
  if (!argv.includes('--micro')) await import('./embedded.ts');
}

/** What one of them makes the compiler assume does not slow the next one down. */
async function runMicro(): Promise<void> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts')).toSorted();
  for (const file of files) {
    const command = [join(import.meta.dirname, file), ...argv.slice(2)];
    const [code] = await once(spawn(execPath, command, { stdio: 'inherit' }), 'exit');
    if (code !== 0) throw new Error(`${file} ended with ${code}`);
  }
}
