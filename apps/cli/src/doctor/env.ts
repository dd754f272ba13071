import { kafkaSettings } from '#libs/bus';
import { databaseSettings, readReplicaSettings } from '#libs/database';
import { readEnvironment, secret, serverUrl, str } from '#libs/platform';
import { visitStoreSettings } from '#libs/visit-store';

const specification = {
  ...kafkaSettings,
  ...databaseSettings,
  ...readReplicaSettings,
  ...visitStoreSettings,
  DATABASE_URL: str({ default: undefined, desc: 'Connection URL of PostgreSQL 15 or later' }),
  DATA_DIR: str({ default: './data', desc: 'Folder for the embedded database and the secrets' }),
  PUBLIC_URL: serverUrl('http', 'https')({ default: undefined, desc: 'URL of the deployment for its users' }),
  RULES_URL: serverUrl('http', 'https')({ default: undefined, desc: 'URL of the rules service' }),
  SECRET_KEY: secret(43)({ default: undefined, desc: '32-byte key that encrypts access tokens at rest' }),
};

export type DoctorSettings = ReturnType<typeof readDoctorSettings>;

/**
 * Reads the settings that a deployment's services use.
 *
 * @throws {ConfigurationError} listing every invalid setting.
 */
export function readDoctorSettings(source?: NodeJS.ProcessEnv) {
  return readEnvironment(specification, source);
}
