import { kafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { redisAddress, redisSettings } from '#libs/cache';
import { catalogClientSettings, rulesClientSettings } from '#libs/catalog';
import { databaseSettings, databaseUrl, READING_CONNECTIONS } from '#libs/database';
import { mailOptionsOf, mailSettings } from './alerts/channels/mail-settings.js';
import { secondFactorSettings } from './access/second-factor-policy.js';
import { oidcOf, oidcSettings } from './accounts/oidc-settings.js';
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
import type { SitePolicy } from './connecting/site-request.js';

/** Settings of the console, shared by its own process and the standalone app. */
export const consoleSettings = {
  ...mailSettings,
  ...secondFactorSettings,
  ...oidcSettings,
  SESSION_MAX_DAYS: integer({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'Days after which people have to sign in again, however much they use their session',
  }),
  TEST_VISIT_ALLOW_PRIVATE: bool({
    default: false,
    desc: 'Lets test visits and fetches of robots.txt go to private addresses, for sites on your own network',
  }),
  ALERTS_ALLOW_PRIVATE: bool({
    default: false,
    desc: 'Lets alerts go to webhooks on private addresses, and by http',
  }),
  ROBOTS_REFRESH_HOURS: integer({ min: 0, max: 24 })({
    default: 1,
    desc: "Hours after which the robots.txt of each project's hosts is fetched again; 0 fetches only on request",
  }),
  GEOIP_FILE: str({ default: undefined, desc: 'MMDB file with the countries of addresses' }),
  ASN_FILE: str({ default: undefined, desc: 'MMDB file with the autonomous systems of addresses and their operators' }),
  MAX_STREAMS_PER_KEY: integer({ min: 1, max: 100_000 })({
    default: 100,
    desc: 'Live streams that an API key, or a person, may have open in a process',
  }),
  MAX_STREAMS_PER_PROJECT: integer({ min: 1, max: 100_000 })({
    default: 200,
    desc: 'Live streams of a project that may be open in a process',
  }),
  MAX_STREAMS: integer({ min: 1, max: 100_000 })({
    default: 1_000,
    desc: 'Live streams that may be open in a process',
  }),
  MAX_EXPORTS: integer({ min: 1, max: READING_CONNECTIONS - 2 })({
    default: 3,
    desc: 'Exports that may run in a process; each takes one of its connections for reading',
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
  return { ...values, oidc: oidcOf(values), mail: mailOptionsOf(values), alertChannels, testVisits };
}

export type ConsoleSettings = ReturnType<typeof parseConsoleSettings>;

export const defaultConsoleSettings = (): ConsoleSettings => parseConsoleSettings(readEnvironment(consoleSettings, {}));

const specification = {
  ...serviceSettings(3002),
  ...proxySettings,
  ...requiredKafkaSettings,
  ...databaseSettings,
  ...redisSettings,
  SECRET_KEY: secret(43)({ desc: '32 bytes, as hex or base64, that encrypt access tokens at rest' }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'A key that is accepted too, while SECRET_KEY is rotated',
  }),
  PUBLIC_URL: url({ default: 'http://127.0.0.1:3000', desc: 'Address under which everything is reached' }),
  ...consoleSettings,
  ...catalogClientSettings,
  ...rulesClientSettings,
};

/** @throws {ConfigurationError} listing all faults. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    ...parseConsoleSettings(settings),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    kafka: kafkaOptions(settings)!,
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    catalog: { url: settings.CATALOG_URL, secret: settings.INTERNAL_API_SECRET },
    rules: { url: settings.RULES_URL, secret: settings.INTERNAL_API_SECRET },
  };
}
