import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newCredential, SecretBox } from '#libs/database';
import { CliError } from './cli-error.js';
import { replaceFile } from './replaced-file.js';

/** File of the previous key while `secret-key` is rotated. It decrypts secrets that aren't re-encrypted yet. */
export const PREVIOUS_KEY_FILE = 'secret-key-previous';
/** Backup of the previous key after a rotation. Nothing reads it. */
const RETIRED_KEY_FILE = 'secret-key-retired';

const SECRETS: Record<string, () => string> = {
  'secret-key': () => SecretBox.newKey(),
  'database-password': () => SecretBox.newKey(),
  'internal-api-secret': () => SecretBox.newKey(),
  'metrics-token': () => SecretBox.newKey(),
  'access-token': () => newCredential('agt_'),
  'api-key': () => newCredential('agk_'),
};

interface MadeSecrets {
  made: string[];
  kept: string[];
}

/** Creates the secrets that the folder doesn't have yet. Only their owner can read the files. */
export async function makeSecrets(folder: string): Promise<MadeSecrets> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secrets: MadeSecrets = { made: [], kept: [] };
  for (const [name, make] of Object.entries(SECRETS)) {
    // No newline: Kubernetes Secrets contain the exact bytes, and neither the Prometheus operator nor KEDA trims them.
    const isNew = await createFile(join(folder, name), make());
    secrets[isNew ? 'made' : 'kept'].push(name);
  }
  return secrets;
}

/**
 * Replaces `secret-key` with a new key, and keeps the old one as the previous key. Can be interrupted and repeated.
 *
 * @returns false if a rotation is already in progress. The keys stay the same.
 * @throws CliError if `secret-key` isn't a valid key.
 */
export async function beginRotation(folder: string): Promise<boolean> {
  const [keyFile, previousFile] = [join(folder, 'secret-key'), join(folder, PREVIOUS_KEY_FILE)];
  const key = await readFile(keyFile, 'utf8');
  if (!SecretBox.isKey(key.trim())) {
    throw new CliError(
      `${keyFile} must contain a secret key of 32 bytes as hex or base64${key.trim() === '' ? ' (it is empty)' : ''}.`,
      {
        hint: 'Put back the SECRET_KEY that the instance runs with, then rotate it.',
      },
    );
  }
  await createFile(previousFile, key);
  // The files are equal if an earlier rotation was interrupted here.
  if ((await readFile(previousFile, 'utf8')).trim() !== key.trim()) return false;
  await replaceFile(keyFile, Buffer.from(SecretBox.newKey()));
  return true;
}

/**
 * Stops accepting the previous key. Its file is renamed instead of deleted: if something is still encrypted with it, it
 * can be restored as `secret-key-previous`.
 *
 * @returns false if no rotation is in progress.
 */
export async function endRotation(folder: string): Promise<boolean> {
  try {
    await rename(join(folder, PREVIOUS_KEY_FILE), join(folder, RETIRED_KEY_FILE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

/**
 * Creates a file atomically, even if the machine crashes or another process creates it at the same time.
 *
 * @returns false if the file already exists. It's left unchanged.
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
