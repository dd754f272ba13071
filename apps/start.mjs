/**
 * Starts a program with its V8 settings: `node apps/start.mjs NAME`. Heap settings can't be changed in a running process.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execArgv, execPath, platform } from 'node:process';

/**
 * Size in MB of V8's semi-spaces, which hold new objects. If large, programs that wait for Kafka or PostgreSQL copy fewer
 * objects. If small, new objects stay in the CPU cache.
 */
const SEMI_SPACE_MB = { standalone: 32, gateway: 32, console: 8, enrichment: 64, ingest: 64, catalog: 32, rules: 8 };

const name = argv[2] ?? '';
const program = join(import.meta.dirname, `../dist/apps/${name}/src/main.js`);
if (!Object.hasOwn(SEMI_SPACE_MB, name)) fail(`name one of ${Object.keys(SEMI_SPACE_MB).join(', ')} (got "${name}")`);
if (!existsSync(program)) fail('not built yet. Run "npm run build"');

// With V8's default heap growth, a busy gateway has several full collections per second.
const args = [...execArgv, `--max-semi-space-size=${SEMI_SPACE_MB[name]}`, '--heap-growing-percent=130', program];
if (platform === 'win32') spawn(execPath, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
else process.execve(execPath, [execPath, ...args]);

function fail(message) {
  process.stderr.write(`start: ${message}\n`);
  process.exit(1);
}
