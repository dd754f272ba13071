import { archiveSettings } from '#libs/archive';
import { databaseSettings } from '#libs/database';
import { readEnvironment, str } from '#libs/platform';
import { toVisitStoreOptions, visitStoreSettings } from '#libs/visit-store';

const specification = {
  ...archiveSettings,
  ...databaseSettings,
  ...visitStoreSettings,
  DATABASE_URL: str({ default: undefined, desc: 'Connection URL of PostgreSQL 15 or later' }),
  DATA_DIR: str({ default: './data', desc: "Folder that contains the instance's embedded database" }),
};

export type ArchiveCommandSettings = ReturnType<typeof readArchiveSettings>;

/** @throws {ConfigurationError} listing every invalid setting. */
export function readArchiveSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return { ...settings, visitStore: toVisitStoreOptions(settings) };
}
