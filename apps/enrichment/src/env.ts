import { toKafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { toRedisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { evidenceOptions, evidenceSettings } from '#libs/evidence';
import { isPretty, readEnvironment, serviceSettings } from '#libs/platform';

const specification = {
  ...serviceSettings(3003),
  ...requiredKafkaSettings,
  ...databaseSettings,
  ...redisSettings,
  ...evidenceSettings,
};

/** @throws {ConfigurationError} listing all invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    pretty: isPretty(settings.LOG_FORMAT),
    redis: toRedisAddress(settings),
    kafka: toKafkaOptions(settings)!,
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    evidence: evidenceOptions(settings),
  };
}
