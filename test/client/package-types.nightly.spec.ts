import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../kit/instance.js';
import { TOOLS_FOLDER } from '../kit/tools.js';

const SOURCE = join(import.meta.dirname, '../../libs/client');

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('publishes types that pass @arethetypeswrong/cli', async () => {
  // Pack the output of `npm run build`.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: SOURCE });
  const tarball = join(
    folder,
    (await readdir(folder)).find((name) => name.endsWith('.tgz'))!,
  );
  // The package is ESM-only. `require()` needs Node.js 20.19+ or 22.12+, and TypeScript 5.8+ with `nodenext`.
  const { stdout } = await run(join(TOOLS_FOLDER, 'node_modules/.bin/attw'), [
    tarball,
    '--profile',
    'esm-only',
    '--format',
    'json',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ analysis: { types: { kind: 'included' } } });
});
