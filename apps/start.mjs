/**
 * Starts an app with V8 heap settings tuned for it. V8 only accepts them at startup. Usage: `node apps/start.mjs NAME`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { argv, execArgv, execPath, platform } from 'node:process';

/**
 * Size in MB of V8's semi-spaces, where new objects are allocated. Large semi-spaces avoid copying objects that live
 * until Kafka or PostgreSQL responds. Small ones fit in the CPU cache.
 */
const SEMI_SPACE_MB = { standalone: 32, gateway: 32, console: 8, enrichment: 64, ingest: 64, catalog: 32, rules: 8 };

const name = argv[2] ?? '';
const program = join(import.meta.dirname, `../dist/apps/${name}/src/main.js`);
if (!Object.hasOwn(SEMI_SPACE_MB, name))
  fail(`NAME must be one of ${Object.keys(SEMI_SPACE_MB).join(', ')} (got "${name}")`);
if (!existsSync(program)) fail('the build output is missing. Run "npm run build".');

// With V8's default heap growth, a busy gateway runs several full garbage collections per second.
const args = [...execArgv, `--max-semi-space-size=${SEMI_SPACE_MB[name]}`, '--heap-growing-percent=130', program];
if (platform === 'win32') spawn(execPath, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
else process.execve(execPath, [execPath, ...args]);

function fail(message) {
  process.stderr.write(`start: ${message}\n`);
  process.exit(1);
}
