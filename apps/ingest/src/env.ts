import { kafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { redisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { evidenceOptions, evidenceSettings } from '#libs/evidence';
import { integer, isPretty, readEnvironment, serviceSettings, str } from '#libs/platform';

/** Settings of ingest, shared by its own process and the standalone app. */
export const ingestSettings = {
  RETENTION_DAYS: integer({ min: 1, max: 3_650 })({ default: 90, desc: 'Days for which visits are kept; counts stay' }),
  DATABASE_DISK_PATH: str({ default: undefined, desc: "Path on PostgreSQL's disk, whose free space is exported" }),
};

export type IngestSettings = ReturnType<typeof readEnvironment<typeof ingestSettings>>;

export const defaultIngestSettings = (): IngestSettings => readEnvironment(ingestSettings, {});

const specification = {
  ...serviceSettings(3004),
  ...requiredKafkaSettings,
  ...ingestSettings,
  ...databaseSettings,
  ...redisSettings,
  ...evidenceSettings,
};

/** @throws ConfigurationError listing all invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    kafka: kafkaOptions(settings)!,
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    evidence: evidenceOptions(settings),
  };
}
