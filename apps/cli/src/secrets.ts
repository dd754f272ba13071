import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newCredential, SecretBox } from '#libs/database';
import { CliError } from './cli-error.js';
import { replaceFile } from './replaced-file.js';

/** Of the key that opens what is not encrypted anew yet; there while `secret-key` is rotated. */
export const PREVIOUS_KEY_FILE = 'secret-key-previous';
/** The key of before the last rotation, which nothing reads. */
const RETIRED_KEY_FILE = 'secret-key-retired';

/** What a deployment has to keep to itself, by the name of its file. */
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
  /** Those that were there, and are what they were. */
  kept: string[];
}

/** Makes each secret that the folder doesn't have yet, as a file that only its owner can read. */
export async function makeSecrets(folder: string): Promise<MadeSecrets> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secrets: MadeSecrets = { made: [], kept: [] };
  for (const [name, make] of Object.entries(SECRETS)) {
    // Without a newline: a Secret of Kubernetes has the file's bytes, and neither the Prometheus operator nor KEDA trims them.
    const isNew = await createFile(join(folder, name), make());
    secrets[isNew ? 'made' : 'kept'].push(name);
  }
  return secrets;
}

/**
 * Makes another key in the place of `secret-key`, which is kept beside it. Can be interrupted and repeated.
 *
 * @returns false when a rotation is under way: the keys stay as they are.
 * @throws CliError when there is no key to rotate.
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
  // Both are the same where it was interrupted here.
  if ((await readFile(previousFile, 'utf8')).trim() !== key.trim()) return false;
  await replaceFile(keyFile, Buffer.from(SecretBox.newKey()));
  return true;
}

/**
 * Stops accepting the previous key. It is set aside rather than deleted: should something still be encrypted with it,
 * putting it back as `secret-key-previous` makes that readable again.
 *
 * @returns false when no rotation is under way in the folder.
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
