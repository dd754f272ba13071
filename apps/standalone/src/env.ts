import { kafkaOptions, kafkaSettings } from '#libs/bus';
import { redisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { evidenceOptions, evidenceSettings } from '#libs/evidence';
import { isPretty, proxySettings, readEnvironment, secret, serviceSettings, str, url } from '#libs/platform';
import { administratorOf, administratorSettings } from '../../console/src/accounts/account-settings.js';
import { consoleSettings, parseConsoleSettings } from '../../console/src/env.js';
import { catalogSettings, parseCatalogSettings } from '../../catalog/src/env.js';
import { gatewaySettings, parseGatewaySettings } from '../../gateway/src/env.js';
import { ingestSettings } from '../../ingest/src/env.js';

const specification = {
  ...serviceSettings(3000),
  ...proxySettings,
  DATA_DIR: str({ default: './data', desc: 'Where the embedded database and the secrets are kept' }),
  DATABASE_URL: str({ default: undefined, desc: 'A PostgreSQL (15 or later) to use instead of the embedded one' }),
  DATABASE_PASSWORD: databaseSettings.DATABASE_PASSWORD,
  SECRET_KEY: secret(43)({
    default: undefined,
    desc: '32 bytes, as hex or base64, that encrypt access tokens at rest; made on first start when absent',
  }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'A key that is accepted too, while SECRET_KEY is rotated',
  }),
  PROJECT_ACCESS_TOKEN: secret(20)({
    default: undefined,
    desc: "The first project's access token, for automatic set-ups",
  }),
  API_KEY: secret(20)({ default: undefined, desc: 'The first personal API key, for automatic set-ups' }),
  ...administratorSettings,
  ...consoleSettings,
  ...gatewaySettings,
  ...ingestSettings,
  ...catalogSettings,
  PUBLIC_URL: url({ default: undefined, desc: 'Address under which everything is reached' }),
  ...evidenceSettings,
  ...kafkaSettings,
  ...redisSettings,
};

export type StandaloneSettings = ReturnType<typeof readSettings>;

export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  const { DATABASE_URL: database, DATABASE_PASSWORD: password } = settings;
  const publicUrl = settings.PUBLIC_URL ?? `http://127.0.0.1:${settings.PORT}`;
  return {
    ...settings,
    ...parseConsoleSettings(settings),
    ...parseGatewaySettings(settings),
    ...parseCatalogSettings({ ...settings, PUBLIC_URL: publicUrl }),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    kafka: kafkaOptions(settings),
    DATABASE_URL: database && databaseUrl(database, password),
    evidence: evidenceOptions(settings),
    administrator: administratorOf(settings),
  };
}
