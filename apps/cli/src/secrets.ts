import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newCredential, SecretBox } from '#libs/database';

/** What a deployment has to keep to itself, by the name of its file. */
const SECRETS: Record<string, () => string> = {
  'secret-key': () => SecretBox.newKey(),
  'database-password': () => SecretBox.newKey(),
  'internal-api-secret': () => SecretBox.newKey(),
  'access-token': () => newCredential('agt_'),
  'api-key': () => newCredential('agk_'),
};

/** Which of them each service of docker-compose.yml has: those that it reads, and no other. */
const SECRETS_OF_SERVICES: Record<string, readonly string[]> = {
  postgres: ['database-password'],
  migrate: ['secret-key', 'database-password', 'access-token', 'api-key'],
  gateway: ['database-password', 'internal-api-secret'],
  console: ['secret-key', 'database-password', 'internal-api-secret'],
  enrichment: ['database-password'],
  ingest: ['database-password'],
  catalog: ['database-password', 'internal-api-secret'],
  rules: ['internal-api-secret'],
};

export interface MadeSecrets {
  made: string[];
  /** Those that were there, and are what they were. */
  kept: string[];
}

/** Makes each secret that the folder doesn't have yet, as a file that only its owner can read. */
export async function makeSecrets(folder: string): Promise<MadeSecrets> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secrets: MadeSecrets = { made: [], kept: [] };
  for (const [name, make] of Object.entries(SECRETS)) {
    const isNew = await createFile(join(folder, name), `${make()}\n`);
    secrets[isNew ? 'made' : 'kept'].push(name);
  }
  return secrets;
}

/**
 * Gives each service a folder of its own with the secrets that it reads. The members of the files' group read them,
 * too: the images of servers run as other users.
 *
 * @param folder where {@link makeSecrets} keeps them all.
 * @param services gets a folder for each service, by its name.
 */
export async function shareSecrets(folder: string, services: string): Promise<void> {
  for (const [service, names] of Object.entries(SECRETS_OF_SERVICES)) {
    await mkdir(join(services, service), { recursive: true, mode: 0o750 });
    for (const name of names) {
      await replaceFile(join(services, service, name), await readFile(join(folder, name), 'utf8'));
    }
  }
}

/** Whoever reads it meanwhile gets the old file or the new one, whole. */
async function replaceFile(path: string, content: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.new`;
  await writeFile(unfinished, content, { mode: 0o640, flush: true });
  await rename(unfinished, path);
}

/** A whole file or none, also when the machine stops halfway or another process does the same. */
async function createFile(path: string, content: string): Promise<boolean> {
  const unfinished = `${path}.${randomUUID()}.new`;
  await writeFile(unfinished, content, { mode: 0o600, flush: true });
  try {
    await link(unfinished, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(unfinished, { force: true });
  }
}
