import { kafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { redisAddress, redisSettings, type RateLimit } from '#libs/cache';
import { catalogClientSettings, rulesClientSettings } from '#libs/catalog';
import { databaseSettings, databaseUrl, SecretBox } from '#libs/database';
import { integer, isPretty, proxySettings, readEnvironment, secret, serviceSettings, words } from '#libs/platform';

const A_BILLION = 1_000_000_000;
const MIB = 2 ** 20;

/** Settings of the gateway, shared by its own process and the standalone app. */
export const gatewaySettings = {
  REDACTED_HEADERS: words({
    default: [],
    desc: 'Names of headers, fields and parameters to redact in every project, beside those of credentials',
  }),
  RATE_LIMIT_VISITS_PER_SECOND: integer({ min: 0, max: A_BILLION })({
    default: 0,
    desc: 'Visits a second that a project may post; 0 means no limit',
  }),
  RATE_LIMIT_BURST: integer({ min: 0, max: A_BILLION })({
    default: 0,
    desc: 'Visits that a project may post at once; 0 is ten seconds of its rate',
  }),
  OUTBOX_MAX_BYTES: integer({ min: MIB, max: MIB * MIB })({
    default: 4096 * MIB,
    desc: 'Bytes that visits may take in the database while Kafka is away',
  }),
};

type GatewayValues = ReturnType<typeof readEnvironment<typeof gatewaySettings>>;

/** Adds options derived from several settings. */
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
  ...redisSettings,
  ...catalogClientSettings,
  ...rulesClientSettings,
  SECRET_KEY: secret(43)({
    default: undefined,
    desc: 'As the console has it; only needed to check signatures of drains',
  }),
  SECRET_KEY_PREVIOUS: secret(43)({
    default: undefined,
    desc: 'A key that is accepted too, while SECRET_KEY is rotated',
  }),
};

/** @throws ConfigurationError listing all invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    ...parseGatewaySettings(settings),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    kafka: kafkaOptions(settings)!,
    secrets:
      settings.SECRET_KEY === undefined ? null : new SecretBox(settings.SECRET_KEY, settings.SECRET_KEY_PREVIOUS),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    catalog: { url: settings.CATALOG_URL, secret: settings.INTERNAL_API_SECRET },
    rules: { url: settings.RULES_URL, secret: settings.INTERNAL_API_SECRET },
  };
}
