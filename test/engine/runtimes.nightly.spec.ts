import { execFile } from 'node:child_process';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createVerdictGroups } from '../kit/engine-verdicts.js';
import { temporaryFolder } from '../kit/instance.js';
import { publicKey, SNAPSHOT_TOKEN } from '../kit/signed-snapshots.js';

const ROOT = join(import.meta.dirname, '../..');
const TOOLS = join(ROOT, 'test/tools/node_modules/.bin');
const groups = createVerdictGroups();
const corpus = { groups, key: publicKey, token: SNAPSHOT_TOKEN };
const count = groups.flatMap(({ cases }) => cases).length;

const PROGRAM = `
  import { readFileSync } from 'node:fs';
  import { Engine } from './engine.mjs';
  import { findDifferences } from './find-differences.mjs';
  const corpus = JSON.parse(readFileSync('corpus.json', 'utf8'));
  console.log(JSON.stringify(await findDifferences(Engine, corpus)));`;

/** `workerd test` calls the `test` handler and fails if it throws. */
const WORKER = `
  import corpus from 'corpus.json';
  import { Engine } from 'engine.mjs';
  import { findDifferences } from 'find-differences.mjs';
  export default {
    async test() {
      const { count, different } = await findDifferences(Engine, corpus);
      if (count !== ${count} || different.length > 0) throw new Error(JSON.stringify({ count, different: different.slice(0, 3) }));
    },
  };`;

/** A worker without Node.js compatibility. */
const WORKER_CONFIGURATION = `
using Workerd = import "/workerd/workerd.capnp";
const unitTests :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "engine.mjs", esModule = embed "engine.mjs"),
    (name = "find-differences.mjs", esModule = embed "find-differences.mjs"),
    (name = "corpus.json", json = embed "corpus.json"),
  ],
);`;

let folder: string;
const run = async (command: string, ...options: string[]): Promise<string> =>
  (await promisify(execFile)(command, options, { cwd: folder, maxBuffer: 2 ** 26 })).stdout;

beforeAll(async () => {
  folder = await temporaryFolder();
  await copyFile(join(ROOT, 'libs/engine/dist/index.js'), join(folder, 'engine.mjs'));
  const source = await readFile(join(import.meta.dirname, 'find-differences.ts'), 'utf8');
  await writeFile(join(folder, 'find-differences.mjs'), stripTypeScriptTypes(source));
  await writeFile(join(folder, 'corpus.json'), JSON.stringify(corpus));
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  await writeFile(join(folder, 'worker.mjs'), WORKER);
  await writeFile(join(folder, 'worker.capnp'), WORKER_CONFIGURATION);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['Node.js', process.execPath, []],
  ['Deno', join(TOOLS, 'deno'), ['run', '--allow-read', '--no-remote']],
])('identifies senders like the services on %s', async (_, command, options) => {
  expect(JSON.parse(await run(command, ...options, 'program.mjs'))).toEqual({ count, different: [] });
});

it('identifies senders like the services on workerd', async () => {
  await expect(run(join(TOOLS, 'workerd'), 'test', 'worker.capnp')).resolves.toBeDefined();
});
