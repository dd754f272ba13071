/** Builds Caddy with a module for rate limits, because it's neither in Debian's package nor in the official binaries. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exists } from './packages.ts';

const run = promisify(execFile);

const MODULES = ['github.com/caddyserver/caddy/v2@v2.11.9', 'github.com/mholt/caddy-ratelimit@v0.1.0'];
const MAIN = `package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	_ "github.com/mholt/caddy-ratelimit"
)

func main() { caddycmd.Main() }
`;
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/caddy');

/**
 * Returns the path of the program. The first call builds it, which takes minutes.
 *
 * @throws {Error} if Go isn't installed or a module can't be downloaded
 */
export async function ensureCaddyWithLimits(): Promise<string> {
  const program = join(CACHE, 'caddy');
  if (await exists(program)) return program;
  await mkdir(CACHE, { recursive: true });
  const cwd = await mkdtemp(join(CACHE, 'build-'));
  try {
    await writeFile(join(cwd, 'main.go'), MAIN);
    for (const args of [
      ['mod', 'init', 'caddy-with-limits'],
      ['get', ...MODULES],
      ['mod', 'tidy'],
      ['build', '-ldflags=-s -w', '-o', 'caddy', '.'],
    ]) {
      await run('go', args, { cwd });
    }
    await rename(join(cwd, 'caddy'), program);
  } finally {
    await rm(cwd, { recursive: true });
  }
  return program;
}
