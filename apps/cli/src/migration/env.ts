import { kafkaSettings } from '#libs/bus';
import { databaseSettings } from '#libs/database';
import { readEnvironment, secret, str } from '#libs/platform';
import { toVisitStoreOptions, visitStoreSettings } from '#libs/visit-store';
import { toAdministrator, administratorSettings } from '../../../console/src/accounts/account-settings.js';

const specification = {
  ...administratorSettings,
  ...databaseSettings,
  ...visitStoreSettings,
  ...kafkaSettings,
  KAFKA_ACLS: str({
    choices: ['create', 'skip'],
    default: 'skip',
    desc: "Whether to create Kafka ACLs for the services' users",
  }),
  SECRET_KEY: secret(43)({ desc: '32-byte key, in hex or base64, that encrypts access tokens at rest' }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'Previous key, accepted in addition to SECRET_KEY during a rotation',
  }),
  PROJECT_ACCESS_TOKEN: secret(20)({ default: undefined, desc: 'Access token for the first project' }),
  API_KEY: secret(20)({ default: undefined, desc: 'API key with admin rights' }),
  PUBLIC_URL: str({ default: 'http://127.0.0.1:3000', desc: 'URL of the deployment for its users' }),
};

export type MigrationSettings = ReturnType<typeof readMigrationSettings>;

/** @throws {ConfigurationError} listing every invalid setting. */
export function readMigrationSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return { ...settings, visitStore: toVisitStoreOptions(settings), administrator: toAdministrator(settings) };
}
