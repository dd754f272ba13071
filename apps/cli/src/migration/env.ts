import { kafkaSettings } from '#libs/bus';
import { databaseSettings } from '#libs/database';
import { readEnvironment, secret, str } from '#libs/platform';
import { administratorOf, administratorSettings } from '../../../console/src/accounts/account-settings.js';

const specification = {
  ...administratorSettings,
  ...databaseSettings,
  ...kafkaSettings,
  KAFKA_ACLS: str({
    choices: ['create', 'skip'],
    default: 'skip',
    desc: 'Create ACLs in Kafka for the users of services, or leave ACLs to you',
  }),
  SECRET_KEY: secret(43)({ desc: '32 bytes, as hex or base64, that encrypt access tokens at rest' }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'A key that is accepted too, while SECRET_KEY is rotated',
  }),
  PROJECT_ACCESS_TOKEN: secret(20)({ default: undefined, desc: "The first project's access token" }),
  API_KEY: secret(20)({ default: undefined, desc: 'An API key with admin rights' }),
  PUBLIC_URL: str({ default: 'http://127.0.0.1:3000', desc: 'Address under which the deployment is reached' }),
};

export type MigrationSettings = ReturnType<typeof readMigrationSettings>;

/** @throws ConfigurationError listing every invalid setting. */
export function readMigrationSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return { ...settings, administrator: administratorOf(settings) };
}
