import { toKafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { toRedisAddress, redisSettings, type RateLimit } from '#libs/cache';
import { catalogClientSettings, rulesClientSettings } from '#libs/catalog';
import { databaseSettings, databaseUrl, SecretBox } from '#libs/database';
import { integer, isPretty, proxySettings, readEnvironment, secret, serviceSettings, words } from '#libs/platform';
import { toVisitStoreOptions, visitStoreSettings } from '#libs/visit-store';

const A_BILLION = 1_000_000_000;
const MIB = 2 ** 20;

/** Gateway settings for both the gateway service and standalone mode. */
export const gatewaySettings = {
  REDACTED_HEADERS: words({
    default: [],
    desc: 'Headers, fields and parameters to redact in every project, in addition to credentials',
  }),
  RATE_LIMIT_VISITS_PER_SECOND: integer({ min: 0, max: A_BILLION })({
    default: 0,
    desc: 'Maximum visits per second for each project; 0 means no limit',
  }),
  RATE_LIMIT_BURST: integer({ min: 0, max: A_BILLION })({
    default: 0,
    desc: 'Maximum number of visits a project can send at once; 0 means ten times the rate per second',
  }),
  OUTBOX_MAX_BYTES: integer({ min: MIB, max: MIB * MIB })({
    default: 4096 * MIB,
    desc: 'Maximum size of visits stored in the database while Kafka is unavailable, in bytes',
  }),
};

type GatewayValues = ReturnType<typeof readEnvironment<typeof gatewaySettings>>;

export function parseGatewaySettings(values: GatewayValues) {
  const { RATE_LIMIT_VISITS_PER_SECOND: perSecond, RATE_LIMIT_BURST: burst } = values;
  const visitRate: RateLimit | null = perSecond === 0 ? null : { perSecond, burst: burst || perSecond * 10 };
  return { ...values, visitRate };
}

export type GatewaySettings = ReturnType<typeof parseGatewaySettings>;

export const defaultGatewaySettings = (): GatewaySettings => parseGatewaySettings(readEnvironment(gatewaySettings, {}));

const specification = {
  ...serviceSettings(3001),
  ...proxySettings,
  ...requiredKafkaSettings,
  ...gatewaySettings,
  ...databaseSettings,
  ...visitStoreSettings,
  ...redisSettings,
  ...catalogClientSettings,
  ...rulesClientSettings,
  SECRET_KEY: secret(43)({
    default: undefined,
    desc: 'Same value as in the console; only needed to verify drain signatures and to sign snapshots',
  }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'Previous key, still accepted while SECRET_KEY is being rotated',
  }),
};

/** @throws {ConfigurationError} listing all missing and invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    ...parseGatewaySettings(settings),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: toRedisAddress(settings),
    kafka: toKafkaOptions(settings)!,
    secrets:
      settings.SECRET_KEY === undefined ? null : new SecretBox(settings.SECRET_KEY, settings.SECRET_KEY_PREVIOUS),
    visitStore: toVisitStoreOptions(settings),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    catalog: { url: settings.CATALOG_URL, secret: settings.INTERNAL_API_SECRET },
    rules: { url: settings.RULES_URL, secret: settings.INTERNAL_API_SECRET },
  };
}
