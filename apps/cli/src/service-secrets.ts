import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderKafkaFiles } from './kafka-users.js';
import { renderRedisAcl } from './redis-acl.js';
import { createFile, PREVIOUS_KEY_FILE } from './secrets.js';

interface ServiceSecrets {
  /** File names of the deployment's secrets that the service reads. */
  reads: readonly string[];
  /** File names of the service's own passwords for Kafka, Redis and other servers. */
  own: readonly string[];
}

/** Secrets for each service in docker-compose.yml. Services can't read any others. */
const SERVICES: Record<string, ServiceSecrets> = {
  postgres: { reads: ['database-password'], own: [] },
  kafka: { reads: [], own: ['kafka-password'] },
  redis: { reads: [], own: [] },
  clickhouse: { reads: ['clickhouse-password'], own: [] },
  migrate: {
    reads: ['secret-key', PREVIOUS_KEY_FILE, 'database-password', 'clickhouse-password', 'access-token', 'api-key'],
    own: ['kafka-password'],
  },
  // Custom consumers. See docs/consumers.md.
  consumer: { reads: [], own: ['kafka-password'] },
  gateway: {
    reads: ['database-password', 'clickhouse-password', 'internal-api-secret', 'metrics-token'],
    own: ['kafka-password', 'redis-password'],
  },
  console: {
    reads: [
      'secret-key',
      PREVIOUS_KEY_FILE,
      'database-password',
      'clickhouse-password',
      'internal-api-secret',
      'metrics-token',
    ],
    own: ['kafka-password', 'redis-password'],
  },
  enrichment: { reads: ['database-password', 'metrics-token'], own: ['kafka-password', 'redis-password'] },
  ingest: {
    reads: ['database-password', 'clickhouse-password', 'metrics-token'],
    own: ['kafka-password', 'redis-password'],
  },
  catalog: { reads: ['database-password', 'internal-api-secret', 'metrics-token'], own: ['redis-password'] },
  prometheus: { reads: ['metrics-token'], own: [] },
  grafana: { reads: [], own: ['admin-password'] },
  rules: { reads: ['internal-api-secret', 'metrics-token'], own: ['redis-password'] },
};

/** The group can read these files, because the server images run as different users. */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;

/**
 * Copies the secrets that each service reads to a folder for that service, and generates missing passwords.
 *
 * @param folder Folder with the deployment's secrets.
 * @param services Parent folder for the services' folders.
 * @returns the servers that must be restarted, because their users changed.
 */
export async function distributeSecrets(folder: string, services: string): Promise<string[]> {
  for (const [service, { reads, own: passwordNames }] of Object.entries(SERVICES)) {
    await mkdir(join(services, service), { recursive: true, mode: FOLDER_MODE });
    for (const name of reads) {
      await replaceFile(join(services, service, name), await readSecret(folder, name));
    }
    for (const name of passwordNames) await createFile(join(services, service, name), newPassword(), FILE_MODE);
  }
  const changed = new Set<string>();
  const { users, client } = renderKafkaFiles(await readPasswords(services, 'kafka'));
  for (const [server, name, content] of [
    ['redis', 'users.acl', renderRedisAcl(await readPasswords(services, 'redis'))],
    ['kafka', 'users.jaas', users],
    ['kafka', 'client.properties', client],
  ] as const) {
    if (await replaceFile(join(services, server, name), content)) changed.add(server);
  }
  return [...changed];
}

/** Reads a secret. Returns an empty string for the previous key unless a rotation is in progress. */
async function readSecret(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && name === PREVIOUS_KEY_FILE) return '';
    throw error;
  });
}

const newPassword = (): string => randomBytes(32).toString('hex');

async function readPasswords(services: string, server: string): Promise<Map<string, string>> {
  const passwords = new Map<string, string>();
  const name = `${server}-password`;
  for (const [service, { own: passwordNames }] of Object.entries(SERVICES)) {
    if (passwordNames.includes(name))
      passwords.set(service, (await readFile(join(services, service, name), 'utf8')).trim());
  }
  return passwords;
}

/** Writes a file atomically. Returns true if it existed with different content. */
async function replaceFile(path: string, content: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === content) return false;
  const temporaryPath = `${path}.${randomUUID()}.new`;
  await writeFile(temporaryPath, content, { mode: FILE_MODE, flush: true });
  await rename(temporaryPath, path);
  return before !== null;
}
