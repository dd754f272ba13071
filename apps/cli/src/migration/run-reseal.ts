import 'reflect-metadata';
import { databaseUrl, SecretBox } from '#libs/database';
import { resealAll } from '../../../console/src/secret-rotation.repository.js';
import { CliError } from '../cli-error.js';
import type { MigrationSettings } from './env.js';
import { connect } from './run-migration.js';

/**
 * Re-encrypts all secrets with the current key.
 *
 * @throws {CliError} if no previous key is set.
 */
export async function runReseal(settings: MigrationSettings, tell: (line: string) => void): Promise<void> {
  const secrets = new SecretBox(settings.SECRET_KEY, settings.SECRET_KEY_PREVIOUS);
  if (!secrets.isRotating) {
    throw new CliError('SECRET_KEY_PREVIOUS is not set, so there is nothing to re-encrypt.', {
      hint: 'To rotate the key first: agent-traffic secrets rotate',
    });
  }
  const database = await connect(databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD), { tell });
  try {
    const { resealed, unreadable } = await resealAll(database, secrets);
    tell(`Secrets re-encrypted: ${resealed}. The previous key is no longer needed for any others.`);
    if (unreadable > 0)
      tell(`Secrets that could not be decrypted with either key and were left unchanged: ${unreadable}.`);
  } finally {
    await database.destroy();
  }
}
