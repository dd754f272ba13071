import { toKafkaOptions, kafkaSettings } from '#libs/bus';
import { toRedisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl, readReplicaSettings, toReplicaOptions } from '#libs/database';
import { evidenceOptions, evidenceSettings } from '#libs/evidence';
import {
  ConfigurationError,
  isPretty,
  proxySettings,
  readEnvironment,
  secret,
  serviceSettings,
  str,
  url,
} from '#libs/platform';
import { toVisitStoreOptions, visitStoreSettings } from '#libs/visit-store';
import { toAdministrator, administratorSettings } from '../../console/src/accounts/account-settings.js';
import { consoleSettings, parseConsoleSettings } from '../../console/src/env.js';
import { catalogSettings, parseCatalogSettings } from '../../catalog/src/env.js';
import { gatewaySettings, parseGatewaySettings } from '../../gateway/src/env.js';
import { ingestSettings } from '../../ingest/src/env.js';

const specification = {
  ...serviceSettings(3000),
  ...proxySettings,
  DATA_DIR: str({ default: './data', desc: 'Folder for the embedded database and secrets' }),
  DATABASE_URL: str({ default: undefined, desc: 'PostgreSQL server (15 or later) to use instead of the embedded one' }),
  DATABASE_PASSWORD: databaseSettings.DATABASE_PASSWORD,
  ...readReplicaSettings,
  ...visitStoreSettings,
  SECRET_KEY: secret(43)({
    default: undefined,
    desc: 'Key that encrypts access tokens at rest: 32 bytes as hex or base64; generated on the first start by default',
  }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'Previous key, still accepted while SECRET_KEY is being rotated',
  }),
  PROJECT_ACCESS_TOKEN: secret(20)({
    default: undefined,
    desc: "The first project's access token, for automated setups",
  }),
  API_KEY: secret(20)({ default: undefined, desc: 'The first personal API key, for automated setups' }),
  ...administratorSettings,
  ...consoleSettings,
  ...gatewaySettings,
  ...ingestSettings,
  ...catalogSettings,
  PUBLIC_URL: url({ default: undefined, desc: 'Public URL of this instance' }),
  ...evidenceSettings,
  ...kafkaSettings,
  ...redisSettings,
};

export type StandaloneSettings = ReturnType<typeof readSettings>;

export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  const { DATABASE_URL: database, DATABASE_PASSWORD: password } = settings;
  if (settings.DATABASE_READ_URL !== undefined && database === undefined) {
    throw new ConfigurationError('DATABASE_READ_URL requires DATABASE_URL: the embedded database has no replica.');
  }
  const publicUrl = settings.PUBLIC_URL ?? `http://127.0.0.1:${settings.PORT}`;
  return {
    ...settings,
    ...parseConsoleSettings(settings),
    ...parseGatewaySettings(settings),
    ...parseCatalogSettings({ ...settings, PUBLIC_URL: publicUrl }),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: toRedisAddress(settings),
    kafka: toKafkaOptions(settings),
    DATABASE_URL: database && databaseUrl(database, password),
    replica: toReplicaOptions(settings),
    visitStore: toVisitStoreOptions(settings),
    evidence: evidenceOptions(settings),
    administrator: toAdministrator(settings),
  };
}
