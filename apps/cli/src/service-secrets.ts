import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaFiles } from './kafka-users.js';
import { redisAcl } from './redis-acl.js';
import { createFile, PREVIOUS_KEY_FILE } from './secrets.js';

interface ServiceSecrets {
  /** Secrets of the deployment that the service reads, by the names of their files. */
  reads: readonly string[];
  /** Passwords that only this service has, by which servers know it. */
  own: readonly string[];
}

/** Which secrets each service of docker-compose.yml has: those that it reads, and no other. */
const SERVICES: Record<string, ServiceSecrets> = {
  postgres: { reads: ['database-password'], own: [] },
  kafka: { reads: [], own: ['kafka-password'] },
  redis: { reads: [], own: [] },
  migrate: {
    reads: ['secret-key', PREVIOUS_KEY_FILE, 'database-password', 'access-token', 'api-key'],
    own: ['kafka-password'],
  },
  // Internal consumers, which are not services of ours: docs/consumers.md.
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

/** Members of the files' group read them, too: the images of servers run as other users. */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;

/**
 * Gives each service a folder of its own with the secrets that it reads, and makes the passwords that are missing.
 *
 * @param folder where `makeSecrets` keeps those of the deployment.
 * @param services gets a folder for each service, by its name.
 * @returns servers whose users changed: those that run have to start again.
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

/** There is a previous key only while the key is rotated; its file is empty else. */
async function readKept(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && name === PREVIOUS_KEY_FILE) return '';
    throw error;
  });
}

const newPassword = (): string => randomBytes(32).toString('hex');

/** Passwords of a server's users, by the service's name. */
async function passwordsOf(services: string, server: string): Promise<Map<string, string>> {
  const passwords = new Map<string, string>();
  const name = `${server}-password`;
  for (const [service, { own }] of Object.entries(SERVICES)) {
    if (own.includes(name)) passwords.set(service, (await readFile(join(services, service, name), 'utf8')).trim());
  }
  return passwords;
}

/**
 * Replaces the file atomically: a reader gets the old one or the new one, whole.
 *
 * @returns whether there was another.
 */
async function replaceFile(path: string, content: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === content) return false;
  const unfinished = `${path}.${randomUUID()}.new`;
  await writeFile(unfinished, content, { mode: FILE_MODE, flush: true });
  await rename(unfinished, path);
  return before !== null;
}
