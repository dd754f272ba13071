import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMalformedCredential, SecretBox } from '#libs/database';
import { beginRotation, endRotation, createSecrets } from './secrets.js';

const NAMES = [
  'access-token',
  'api-key',
  'clickhouse-password',
  'database-password',
  'internal-api-secret',
  'metrics-token',
  'secret-key',
];

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'agent-traffic-secrets-')), 'secrets');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

it('creates secrets that only their owner can read', async () => {
  const { made, kept } = await createSecrets(folder);
  expect([made.toSorted(), kept]).toEqual([NAMES, []]);
  expect((await readdir(folder)).toSorted()).toEqual(NAMES);
  for (const name of NAMES) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    // Some readers of Kubernetes Secrets, such as the Prometheus operator, don't strip a trailing newline.
    expect(await read(name)).toMatch(/^\S+$/);
  }
  const token = await read('access-token');
  const key = await read('api-key');
  expect(token.startsWith('agt_') && key.startsWith('agk_')).toBe(true);
  expect([isMalformedCredential(token, 'agt_'), isMalformedCredential(key, 'agk_')]).toEqual([false, false]);
  const secretKey = await read('secret-key');
  expect(() => new SecretBox(secretKey)).not.toThrow();
});

it('never changes an existing secret, even with concurrent runs', async () => {
  await createSecrets(folder);
  await rm(join(folder, 'api-key'));
  await writeFile(join(folder, 'access-token'), 'one-of-my-own');
  const password = await read('database-password');
  const all = await Promise.all([createSecrets(folder), createSecrets(folder), createSecrets(folder)]);
  expect(all.flatMap(({ made }) => made)).toEqual(['api-key']);
  expect(await read('access-token')).toBe('one-of-my-own');
  expect(await read('database-password')).toBe(password);
});

it.each(['', ' \n', 'too-short'])(
  'rejects a rotation of the invalid secret key %j and changes nothing',
  async (key) => {
    await createSecrets(folder);
    await writeFile(join(folder, 'secret-key'), key);
    await expect(beginRotation(folder)).rejects.toThrow(/secret-key must contain a 32-byte key/);
    expect((await readdir(folder)).toSorted()).toEqual(NAMES);
    expect(await readFile(join(folder, 'secret-key'), 'utf8')).toBe(key);
  },
);

it('rejects a rotation if the secret key is missing, and explains how to create it', async () => {
  await expect(beginRotation(folder)).rejects.toMatchObject({
    message: `${join(folder, 'secret-key')} doesn't exist, so there is no key to rotate.`,
    hint: expect.stringContaining(`agent-traffic secrets ${folder}`),
  });
});

it('rotates the secret key and retains the old key until the rotation ends, even after an interruption', async () => {
  await createSecrets(folder);
  const old = await read('secret-key');
  await writeFile(join(folder, 'secret-key-previous'), old);
  expect(await beginRotation(folder)).toBe(true);
  const key = await read('secret-key');
  expect([key === old, await read('secret-key-previous')]).toEqual([false, old]);
  expect(key).toMatch(/^\S+$/);
  expect(() => new SecretBox(key, old)).not.toThrow();
  expect(await beginRotation(folder)).toBe(false);
  expect([await read('secret-key'), await read('secret-key-previous')]).toEqual([key, old]);
  expect([await endRotation(folder), await endRotation(folder)]).toEqual([true, false]);
  expect(await read('secret-key-retired')).toBe(old);
  expect(await beginRotation(folder)).toBe(true);
  expect(await read('secret-key-previous')).toBe(key);
});
