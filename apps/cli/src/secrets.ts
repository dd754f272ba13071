import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateCredential, SecretBox } from '#libs/database';
import { CliError } from './cli-error.js';
import { readIfExists, replaceFile } from './replace-file.js';

/** File with the previous key during a rotation. It decrypts secrets that haven't been re-encrypted yet. */
export const PREVIOUS_KEY_FILE = 'secret-key-previous';
/** Backup of the previous key after a rotation. It's never read. */
const RETIRED_KEY_FILE = 'secret-key-retired';

const SECRETS: Record<string, () => string> = {
  'secret-key': () => SecretBox.generateKey(),
  'database-password': () => SecretBox.generateKey(),
  'clickhouse-password': () => SecretBox.generateKey(),
  'internal-api-secret': () => SecretBox.generateKey(),
  'metrics-token': () => SecretBox.generateKey(),
  'access-token': () => generateCredential('agt_'),
  'api-key': () => generateCredential('agk_'),
};

interface SecretsResult {
  made: string[];
  kept: string[];
}

/** Creates the secrets that are missing from the folder, in files that only their owner can read. */
export async function createSecrets(folder: string): Promise<SecretsResult> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secrets: SecretsResult = { made: [], kept: [] };
  for (const [name, generate] of Object.entries(SECRETS)) {
    // Don't add a newline. Kubernetes Secrets contain the exact bytes, and the Prometheus operator and KEDA don't trim them.
    const isNew = await createFile(join(folder, name), generate());
    secrets[isNew ? 'made' : 'kept'].push(name);
  }
  return secrets;
}

/**
 * Replaces `secret-key` with a new key and saves the old one as the previous key. Safe to interrupt and repeat.
 *
 * @returns false, without changing the keys, if a rotation is already in progress.
 * @throws {CliError} if `secret-key` doesn't exist or doesn't contain a valid key.
 */
export async function beginRotation(folder: string): Promise<boolean> {
  const [keyFile, previousFile] = [join(folder, 'secret-key'), join(folder, PREVIOUS_KEY_FILE)];
  const key = (await readIfExists(keyFile))?.toString('utf8');
  if (key === undefined) {
    throw new CliError(`${keyFile} doesn't exist, so there is no key to rotate.`, {
      hint:
        `Pass the folder that contains the instance's secret-key. In standalone mode, it's DATA_DIR. ` +
        `For a new deployment, create the secrets first: agent-traffic secrets ${folder}`,
    });
  }
  if (!SecretBox.isValidKey(key.trim())) {
    throw new CliError(
      `${keyFile} must contain a 32-byte key in hex or base64${key.trim() === '' ? ' (it is empty)' : ''}.`,
      {
        hint: 'Restore the SECRET_KEY that the instance uses, then rotate it.',
      },
    );
  }
  await createFile(previousFile, key);
  // If the previous file already exists, an earlier rotation was never finished. It can only be continued if it was
  // interrupted at this point, which leaves the same key in both files.
  if ((await readFile(previousFile, 'utf8')).trim() !== key.trim()) return false;
  await replaceFile(keyFile, Buffer.from(SecretBox.generateKey()));
  return true;
}

/**
 * Retires the previous key. Its file is renamed instead of deleted, so it can be restored as `secret-key-previous` if
 * some data is still encrypted with it.
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
 * Creates a file atomically, even after a crash or if another process creates the same file.
 *
 * @returns false if the file already exists. An existing file isn't changed.
 */
export async function createFile(path: string, content: string, mode = 0o600): Promise<boolean> {
  const temporaryPath = `${path}.${randomUUID()}.new`;
  await writeFile(temporaryPath, content, { mode, flush: true });
  try {
    await link(temporaryPath, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(temporaryPath, { force: true });
  }
}
