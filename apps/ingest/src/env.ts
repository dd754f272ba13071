import { archiveSettings } from '#libs/archive';
import { toKafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { toRedisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { evidenceOptions, evidenceSettings } from '#libs/evidence';
import { integer, isPretty, readEnvironment, serviceSettings, str } from '#libs/platform';
import { toVisitStoreOptions, visitStoreSettings } from '#libs/visit-store';

/** Settings shared by the ingest process and the standalone app. */
export const ingestSettings = {
  RETENTION_DAYS: integer({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'Days to keep visits; counts are kept indefinitely',
  }),
  DATABASE_DISK_PATH: str({ default: undefined, desc: "Path on PostgreSQL's disk, for exporting its free space" }),
  ...archiveSettings,
};

export type IngestSettings = ReturnType<typeof readEnvironment<typeof ingestSettings>>;

export const defaultIngestSettings = (): IngestSettings => readEnvironment(ingestSettings, {});

const specification = {
  ...serviceSettings(3004),
  ...requiredKafkaSettings,
  ...ingestSettings,
  ...databaseSettings,
  ...visitStoreSettings,
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
    visitStore: toVisitStoreOptions(settings),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    evidence: evidenceOptions(settings),
  };
}
