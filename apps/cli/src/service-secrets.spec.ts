import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecrets } from './secrets.js';
import { distributeSecrets } from './service-secrets.js';

let all: string;
let services: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-secrets-'));
  all = join(folder, 'all');
  services = join(folder, 'services');
  await createSecrets(all);
});
afterEach(() => rm(join(all, '..'), { recursive: true }));

const filesOf = async (service: string): Promise<string[]> => (await readdir(join(services, service))).toSorted();
const read = (...path: string[]): Promise<string> => readFile(join(services, ...path), 'utf8');

it('creates a group-readable folder for each service with only the secrets it reads', async () => {
  await distributeSecrets(all, services);
  const files = await Promise.all(
    ['rules', 'ingest', 'console', 'postgres', 'redis', 'kafka', 'clickhouse', 'catalog'].map(filesOf),
  );
  expect(files).toEqual([
    ['internal-api-secret', 'metrics-token', 'redis-password'],
    ['clickhouse-password', 'database-password', 'kafka-password', 'metrics-token', 'redis-password'],
    [
      'clickhouse-password',
      'database-password',
      'internal-api-secret',
      'kafka-password',
      'metrics-token',
      'redis-password',
      'secret-key',
      'secret-key-previous',
    ],
    ['database-password'],
    ['users.acl'],
    ['client.properties', 'kafka-password', 'users.jaas'],
    ['clickhouse-password'],
    ['database-password', 'internal-api-secret', 'metrics-token', 'redis-password'],
  ]);
  for (const name of ['secret-key', 'redis-password']) {
    expect((await stat(join(services, 'console', name))).mode & 0o777).toBe(0o640);
  }
  expect((await stat(join(services, 'console'))).mode & 0o777).toBe(0o750);
  expect(await read('console/secret-key')).toBe(await readFile(join(all, 'secret-key'), 'utf8'));
});

it('generates a password for each service and stores only its hash for Redis', async () => {
  await distributeSecrets(all, services);
  const [ours, theirs] = [await read('console/redis-password'), await read('gateway/redis-password')];
  expect(ours).toMatch(/^[0-9a-f]{64}$/);
  expect(ours).not.toBe(theirs);
  const acl = await read('redis/users.acl');
  expect(acl).toContain(`user console reset on #${hash('sha256', ours)} `);
  expect(acl).not.toContain(ours);
});

it('copies changed secrets and preserves existing passwords', async () => {
  expect(await distributeSecrets(all, services)).toEqual([]);
  const password = await read('console/redis-password');
  await writeFile(join(all, 'secret-key'), 'another');
  expect(await distributeSecrets(all, services)).toEqual([]);
  expect([await read('console/secret-key'), await read('console/redis-password')]).toEqual(['another', password]);
  expect(await filesOf('console')).toHaveLength(8);
  await rm(join(services, 'console/redis-password'));
  expect(await distributeSecrets(all, services)).toEqual(['redis']);
});
