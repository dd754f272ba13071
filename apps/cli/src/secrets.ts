import { randomUUID } from 'node:crypto';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
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
 * Makes a whole file or none, also when the machine stops halfway or another process does the same.
 *
 * @returns false when the file was there; it is left as it is.
 */
export async function createFile(path: string, content: string, mode = 0o600): Promise<boolean> {
  const unfinished = `${path}.${randomUUID()}.new`;
  await writeFile(unfinished, content, { mode, flush: true });
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
