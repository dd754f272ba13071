import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../kit/instance.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'libs/client');
const BIN = join(ROOT, 'node_modules/.bin');
const EXPORTS = {
  '@agent-traffic/client': ['AGENT_TYPES', 'AgentTraffic', 'InstanceError', 'isStaticFile'],
  '@agent-traffic/client/express': ['agentTraffic'],
  '@agent-traffic/client/fastify': ['agentTraffic'],
  '@agent-traffic/client/nestjs': ['agentTraffic'],
  '@agent-traffic/client/next': ['agentTraffic', 'withAgentTraffic'],
  '@agent-traffic/client/hono': ['agentTraffic'],
  '@agent-traffic/client/cloudflare': ['withAgentTraffic'],
  '@agent-traffic/client/node': ['withAgentTraffic'],
};

const run = promisify(execFile);

let folder: string;
let tarball: string;

/**
 * Runs a program in the folder where the package is installed.
 *
 * @returns stdout
 */
async function runProgram(file: string, program: string, ...options: string[]): Promise<string> {
  await writeFile(join(folder, file), program);
  const { stdout } = await run(process.execPath, [...options, file], { cwd: folder });
  return stdout.trim();
}

beforeAll(async () => {
  folder = await temporaryFolder();
  // Pack the output of `npm run build`. `--ignore-scripts` prevents another build.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: SOURCE });
  tarball = join(
    folder,
    (await readdir(folder)).find((name) => name.endsWith('.tgz'))!,
  );
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), tarball], {
    cwd: folder,
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('installs offline without dependencies', async () => {
  expect(await readdir(join(folder, 'node_modules/@agent-traffic'))).toEqual(['client']);
  expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    '@agent-traffic',
  ]);
  expect((await readdir(join(folder, 'node_modules/@agent-traffic/client'))).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ]);
});

it('exports its API to ES modules', async () => {
  const imports = Object.keys(EXPORTS).map((name) => `[${JSON.stringify(name)}, await import('${name}')]`);
  const program = `console.log(JSON.stringify([${imports.join()}].map(([name, entry]) => [name, Object.keys(entry)])))`;
  expect(Object.fromEntries(JSON.parse(await runProgram('import.mjs', program)))).toEqual(EXPORTS);
});

it('exports its API to CommonJS', async () => {
  const names = JSON.stringify(Object.keys(EXPORTS));
  const program = `console.log(JSON.stringify(${names}.map((name) => [name, Object.keys(require(name))])))`;
  expect(Object.fromEntries(JSON.parse(await runProgram('require.cjs', program)))).toEqual(EXPORTS);
});

it.each(['workerd', 'edge-light'])('resolves to entry points without Node.js code for %s', async (condition) => {
  const program = ['', '/next', '/hono', '/cloudflare'].map(
    (entry) => `console.log(import.meta.resolve('@agent-traffic/client${entry}'));`,
  );
  const urls = await runProgram(`${condition}.mjs`, program.join('\n'), `--conditions=${condition}`);
  expect(urls.split('\n').map((url) => url.slice(url.lastIndexOf('/')))).toEqual([
    '/index.js',
    '/next.js',
    '/hono.js',
    '/cloudflare.js',
  ]);
});

it('imports only files in the package', async () => {
  const dist = join(folder, 'node_modules/@agent-traffic/client/dist');
  for (const file of await readdir(dist, { recursive: true })) {
    if (!/\.(?:js|d\.ts)$/.test(file)) continue;
    const text = await readFile(join(dist, file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier!);
    const others = imports.filter((specifier) => !specifier.startsWith('.'));
    // Only the `/node` entry point imports types from Node.js.
    expect(others).toEqual(file.endsWith('/node.d.ts') ? ['node:http'] : []);
  }
});

it('builds a package that passes publint', async () => {
  const { stdout } = await run(join(BIN, 'publint'), ['run', tarball, '--strict']);
  expect(stdout).toContain('All good!');
});
