import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';

/**
 * Runs each *.bench.ts file in this folder in a separate process, so JIT assumptions from one don't slow down the next.
 */
export async function runFunctions(options: readonly string[]): Promise<void> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.ts')).toSorted();
  for (const file of files) {
    const [code] = await once(
      spawn(execPath, [join(import.meta.dirname, file), ...options], { stdio: 'inherit' }),
      'exit',
    );
    if (code !== 0) throw new Error(`${file} exited with ${code}`);
  }
}
