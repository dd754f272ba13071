import { toKafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { toRedisAddress, redisSettings } from '#libs/cache';
import { catalogClientSettings, rulesClientSettings } from '#libs/catalog';
import { databaseSettings, databaseUrl, READ_POOL_SIZE, readReplicaSettings, toReplicaOptions } from '#libs/database';
import { toMailSettings, mailSettings } from './alerts/channels/mail-settings.js';
import { secondFactorSettings } from './access/second-factor-policy.js';
import { toOidcSettings, oidcSettings } from './accounts/oidc-settings.js';
import {
  bool,
  integer,
  isPretty,
  proxySettings,
  readEnvironment,
  secret,
  serviceSettings,
  str,
  url,
} from '#libs/platform';
import { toVisitStoreOptions, visitStoreSettings } from '#libs/visit-store';
import type { SitePolicy } from './onboarding/site-request.js';

/** Console settings, shared by the console process and standalone mode. */
export const consoleSettings = {
  ...mailSettings,
  ...secondFactorSettings,
  ...oidcSettings,
  SESSION_MAX_DAYS: integer({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'Days after which people must sign in again, even if they use their session regularly',
  }),
  TEST_VISIT_ALLOW_PRIVATE: bool({
    default: false,
    desc: 'Allow test visits and robots.txt fetches to private addresses, for sites on your own network',
  }),
  ALERTS_ALLOW_PRIVATE: bool({
    default: false,
    desc: 'Allow alert webhooks at private addresses and over plain HTTP',
  }),
  ROBOTS_REFRESH_HOURS: integer({ min: 0, max: 24 })({
    default: 1,
    desc: "Hours between robots.txt fetches from each project's hosts; 0 fetches only on request",
  }),
  GEOIP_FILE: str({ default: undefined, desc: 'MMDB file that maps addresses to countries' }),
  ASN_FILE: str({
    default: undefined,
    desc: 'MMDB file that maps addresses to autonomous systems and their operators',
  }),
  MAX_STREAMS_PER_KEY: integer({ min: 1, max: 100_000 })({
    default: 100,
    desc: 'Maximum number of open live streams per API key or person, in each process',
  }),
  MAX_STREAMS_PER_PROJECT: integer({ min: 1, max: 100_000 })({
    default: 200,
    desc: 'Maximum number of open live streams per project, in each process',
  }),
  MAX_STREAMS: integer({ min: 1, max: 100_000 })({
    default: 1_000,
    desc: 'Maximum number of open live streams in each process',
  }),
  MAX_EXPORTS: integer({ min: 1, max: READ_POOL_SIZE - 2 })({
    default: 3,
    desc: 'Maximum number of concurrent exports in each process; each export uses a database connection for reading',
  }),
};

type ConsoleValues = ReturnType<typeof readEnvironment<typeof consoleSettings>>;

/**
 * Adds options derived from several settings.
 *
 * @throws {ConfigurationError} if settings that depend on each other are incomplete.
 */
export function parseConsoleSettings(values: ConsoleValues) {
  const alertChannels: SitePolicy = { allowPrivateAddresses: values.ALERTS_ALLOW_PRIVATE };
  const testVisits: SitePolicy = { allowPrivateAddresses: values.TEST_VISIT_ALLOW_PRIVATE };
  return { ...values, oidc: toOidcSettings(values), mail: toMailSettings(values), alertChannels, testVisits };
}

export type ConsoleSettings = ReturnType<typeof parseConsoleSettings>;

export const defaultConsoleSettings = (): ConsoleSettings => parseConsoleSettings(readEnvironment(consoleSettings, {}));

const specification = {
  ...serviceSettings(3002),
  ...proxySettings,
  ...requiredKafkaSettings,
  ...databaseSettings,
  ...visitStoreSettings,
  ...readReplicaSettings,
  ...redisSettings,
  SECRET_KEY: secret(43)({ desc: '32-byte key, in hex or base64, that encrypts access tokens at rest' }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'Previous key, which is still accepted while SECRET_KEY is being rotated',
  }),
  PUBLIC_URL: url({ default: 'http://127.0.0.1:3000', desc: 'Public URL of this instance' }),
  ...consoleSettings,
  ...catalogClientSettings,
  ...rulesClientSettings,
};

/** @throws {ConfigurationError} listing all invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    ...parseConsoleSettings(settings),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: toRedisAddress(settings),
    kafka: toKafkaOptions(settings)!,
    visitStore: toVisitStoreOptions(settings),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    replica: toReplicaOptions(settings),
    catalog: { url: settings.CATALOG_URL, secret: settings.INTERNAL_API_SECRET },
    rules: { url: settings.RULES_URL, secret: settings.INTERNAL_API_SECRET },
  };
}
