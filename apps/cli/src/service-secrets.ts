import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaFiles } from './kafka-users.js';
import { redisAcl } from './redis-acl.js';
import { createFile, PREVIOUS_KEY_FILE } from './secrets.js';

interface ServiceSecrets {
  /** Deployment secrets that the service reads, by file name. */
  reads: readonly string[];
  /** Passwords by which servers identify the service. */
  own: readonly string[];
}

/** Secrets of each service in docker-compose.yml. Services get no others. */
const SERVICES: Record<string, ServiceSecrets> = {
  postgres: { reads: ['database-password'], own: [] },
  kafka: { reads: [], own: ['kafka-password'] },
  redis: { reads: [], own: [] },
  migrate: {
    reads: ['secret-key', PREVIOUS_KEY_FILE, 'database-password', 'access-token', 'api-key'],
    own: ['kafka-password'],
  },
  // Consumers that you add, see docs/consumers.md.
  consumer: { reads: [], own: ['kafka-password'] },
  gateway: {
    reads: ['database-password', 'internal-api-secret', 'metrics-token'],
    own: ['kafka-password', 'redis-password'],
  },
  console: {
    reads: ['secret-key', PREVIOUS_KEY_FILE, 'database-password', 'internal-api-secret', 'metrics-token'],
    own: ['kafka-password', 'redis-password'],
  },
  enrichment: { reads: ['database-password', 'metrics-token'], own: ['kafka-password', 'redis-password'] },
  ingest: { reads: ['database-password', 'metrics-token'], own: ['kafka-password', 'redis-password'] },
  catalog: { reads: ['database-password', 'internal-api-secret', 'metrics-token'], own: ['redis-password'] },
  prometheus: { reads: ['metrics-token'], own: [] },
  grafana: { reads: [], own: ['admin-password'] },
  rules: { reads: ['internal-api-secret', 'metrics-token'], own: ['redis-password'] },
};

/** Readable by the group, because the servers' images run as other users. */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;

/**
 * Creates a folder for each service with the secrets that it reads, and generates missing passwords.
 *
 * @param folder Folder with the deployment's secrets, see `makeSecrets`.
 * @param services Parent folder of the services' folders.
 * @returns servers whose users changed. Running ones must be restarted.
 */
export async function shareSecrets(folder: string, services: string): Promise<string[]> {
  for (const [service, { reads, own }] of Object.entries(SERVICES)) {
    await mkdir(join(services, service), { recursive: true, mode: FOLDER_MODE });
    for (const name of reads) {
      await replaceFile(join(services, service, name), await readKept(folder, name));
    }
    for (const name of own) await createFile(join(services, service, name), newPassword(), FILE_MODE);
  }
  const changed = new Set<string>();
  const { users, client } = kafkaFiles(await passwordsOf(services, 'kafka'));
  for (const [server, name, content] of [
    ['redis', 'users.acl', redisAcl(await passwordsOf(services, 'redis'))],
    ['kafka', 'users.jaas', users],
    ['kafka', 'client.properties', client],
  ] as const) {
    if (await replaceFile(join(services, server, name), content)) changed.add(server);
  }
  return [...changed];
}

/** The previous key only exists during a rotation. Otherwise, services get an empty file. */
async function readKept(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && name === PREVIOUS_KEY_FILE) return '';
    throw error;
  });
}

const newPassword = (): string => randomBytes(32).toString('hex');

async function passwordsOf(services: string, server: string): Promise<Map<string, string>> {
  const passwords = new Map<string, string>();
  const name = `${server}-password`;
  for (const [service, { own }] of Object.entries(SERVICES)) {
    if (own.includes(name)) passwords.set(service, (await readFile(join(services, service, name), 'utf8')).trim());
  }
  return passwords;
}

/** Replaces a file atomically. Returns true if it existed with other content. */
async function replaceFile(path: string, content: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === content) return false;
  const unfinished = `${path}.${randomUUID()}.new`;
  await writeFile(unfinished, content, { mode: FILE_MODE, flush: true });
  await rename(unfinished, path);
  return before !== null;
}
