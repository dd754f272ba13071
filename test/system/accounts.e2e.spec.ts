import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Instance } from '../kit/instance.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const CLI_PATH = join(ROOT, 'apps/cli/bin/agent-traffic.mjs');
const SETUP_CODE_PATTERN = /(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/;
const ACCOUNT = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };

it('prints a setup code on first start and preserves sessions across a restart', async () => {
  let instance = await Instance.start();
  const [firstCode] = SETUP_CODE_PATTERN.exec(instance.output)!;
  const setUp = (code: string): Promise<Response> =>
    fetch(`${instance.url}/api/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...ACCOUNT, code }),
    });
  const { stdout } = await run(process.execPath, [CLI_PATH, 'setup-code'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR: instance.dataDirectory },
  });
  expect((await setUp(firstCode)).status).toBe(403);
  const setupResponse = await setUp(stdout.trim());
  expect(setupResponse.status).toBe(201);
  const cookie = setupResponse.headers.getSetCookie()[0]!.split(';', 1)[0]!;
  const getSession = async () => (await fetch(`${instance.url}/api/session`, { headers: { cookie } })).json();
  const expected = { setup_required: false, user: { name: 'Ada', is_admin: true } };
  expect(await getSession()).toMatchObject(expected);
  await instance.stop();

  instance = await instance.restart();
  expect(instance.output).not.toMatch(SETUP_CODE_PATTERN);
  expect(await getSession()).toMatchObject(expected);
  const projectsResponse = await fetch(`${instance.url}/api/projects`, { headers: { cookie } });
  expect(await projectsResponse.json()).toMatchObject({ projects: [{ role: 'owner' }] });
  await instance.dispose();
});
