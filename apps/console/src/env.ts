import { kafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { redisAddress, redisSettings } from '#libs/cache';
import { catalogClientSettings } from '#libs/catalogue';
import { databaseSettings, databaseUrl } from '#libs/database';
import { oidcOf, oidcSettings } from './accounts/oidc-settings.js';
import { bool, isPretty, proxySettings, readEnvironment, secret, serviceSettings, url } from '#libs/platform';
import { rulesClientSettings } from '#libs/rules';

/** Settings of test visits; the standalone has them, too. */
export const testVisitSettings = {
  TEST_VISIT_ALLOW_PRIVATE: bool({
    default: false,
    desc: 'Lets test visits go to private addresses, for sites on your own network',
  }),
};

const specification = {
  ...serviceSettings(3002),
  ...proxySettings,
  ...requiredKafkaSettings,
  ...databaseSettings,
  ...redisSettings,
  SECRET_KEY: secret(43)({ desc: '32 bytes, as hex or base64, that encrypt access tokens at rest' }),
  PUBLIC_URL: url({ default: 'http://127.0.0.1:3000', desc: 'Address under which everything is reached' }),
  ...testVisitSettings,
  ...oidcSettings,
  ...catalogClientSettings,
  ...rulesClientSettings,
};

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    kafka: kafkaOptions(settings)!,
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    oidc: oidcOf(settings),
    testVisits: { allowPrivateAddresses: settings.TEST_VISIT_ALLOW_PRIVATE },
    catalog: { url: settings.CATALOG_URL, secret: settings.INTERNAL_API_SECRET },
    rules: { url: settings.RULES_URL, secret: settings.INTERNAL_API_SECRET },
  };
}
