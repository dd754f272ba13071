import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from './env.js';
import { DEFAULT_URL, findInstance } from './instance.js';

let root: string;
let data: string;
const find = (variables: NodeJS.ProcessEnv) => findInstance(readEnv(variables), [join(root, 'elsewhere'), root]);
const keyOf = ({ client }: Awaited<ReturnType<typeof find>>): unknown => Reflect.get(client, 'apiKey');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'instance-'));
  data = join(root, 'data');
  await mkdir(data);
  await writeFile(join(data, 'instance.json'), JSON.stringify({ pid: 1, url: 'http://10.0.0.5:4321/' }));
  await writeFile(join(data, 'api-key'), 'agk_local\n');
});
afterEach(() => rm(root, { recursive: true }));

it('finds the URL and API key of the local instance', async () => {
  const instance = await find({ DATA_DIR: data, AGENT_TRAFFIC_TOKEN: ' ' });
  expect(instance.client.url).toBe('http://10.0.0.5:4321');
  expect(keyOf(instance)).toBe('agk_local');
  expect(instance.token).toBeUndefined();
  expect((await find({})).client.url).toBe('http://10.0.0.5:4321');
});

it('prefers environment variables and sends the local API key only to this machine', async () => {
  const other = await find({
    DATA_DIR: data,
    AGENT_TRAFFIC_URL: 'https://other.example/',
    AGENT_TRAFFIC_TOKEN: 'agt_x',
  });
  expect(other.client.url).toBe('https://other.example');
  expect(keyOf(other)).toBeUndefined();
  expect(other.token).toBe('agt_x');
  expect(keyOf(await find({ DATA_DIR: data, AGENT_TRAFFIC_URL: 'http://127.0.0.1:3999' }))).toBe('agk_local');
  const keyed = await find({
    DATA_DIR: data,
    AGENT_TRAFFIC_URL: 'https://other.example',
    AGENT_TRAFFIC_API_KEY: 'agk_b',
  });
  expect(keyOf(keyed)).toBe('agk_b');
});

it('uses PORT for the default URL', async () => {
  const nowhere = { DATA_DIR: join(root, 'nothing'), PORT: '3002' };
  expect((await find(nowhere)).client.url).toBe('http://127.0.0.1:3002');
  expect((await find({ ...nowhere, AGENT_TRAFFIC_URL: 'https://a.example' })).client.url).toBe('https://a.example');
});

it('falls back to the default URL and rejects an invalid one', async () => {
  const instance = await find({ DATA_DIR: join(root, 'nothing') });
  expect([instance.client.url, keyOf(instance)]).toEqual([DEFAULT_URL, undefined]);
  await expect(find({ AGENT_TRAFFIC_URL: 'localhost:3000' })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('AGENT_TRAFFIC_URL'),
  });
  await writeFile(join(data, 'instance.json'), '{"pid":');
  expect((await find({ DATA_DIR: data })).client.url).toBe(DEFAULT_URL);
});
