import { kafkaSettings } from '#libs/bus';
import { databaseSettings } from '#libs/database';
import { readEnvironment, secret, serverUrl, str } from '#libs/platform';

const specification = {
  ...kafkaSettings,
  ...databaseSettings,
  DATABASE_URL: str({ default: undefined, desc: 'PostgreSQL, 15 or later' }),
  DATA_DIR: str({ default: './data', desc: 'Where the embedded database and the secrets are kept' }),
  PUBLIC_URL: serverUrl('http', 'https')({ default: undefined, desc: 'Address under which the deployment is reached' }),
  RULES_URL: serverUrl('http', 'https')({ default: undefined, desc: 'Address of the rules service' }),
  SECRET_KEY: secret(43)({ default: undefined, desc: '32 bytes that encrypt access tokens at rest' }),
};

export type DoctorSettings = ReturnType<typeof readDoctorSettings>;

/**
 * Reads the settings that the services of a deployment use.
 *
 * @throws ConfigurationError listing every invalid setting.
 */
export function readDoctorSettings(source?: NodeJS.ProcessEnv) {
  return readEnvironment(specification, source);
}
