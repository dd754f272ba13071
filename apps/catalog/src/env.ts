import { toRedisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { DATA_CENTER_LISTS, type DataCenterList, type PinnedDirectory } from '#libs/catalog';
import {
  evidenceOptions,
  evidenceSettings,
  normalizeListUrl,
  readIpListsFile,
  readKeyDirectoriesFile,
} from '#libs/evidence';
import {
  ConfigurationError,
  integer,
  internalSettings,
  isPretty,
  readEnvironment,
  serviceSettings,
  str,
  url,
} from '#libs/platform';

export const catalogSettings = {
  PUBLIC_URL: url({ default: 'http://127.0.0.1:3000', desc: 'Public URL of this instance' }),
  IP_LISTS_REFRESH_HOURS: integer({ min: 0, max: 168 })({
    default: 24,
    desc: 'Hours between fetches of published address lists; 0 disables fetching',
  }),
  AGENT_FEEDS_REFRESH_HOURS: integer({ min: 0, max: 168 })({
    default: 24,
    desc: 'Hours between fetches of agent feeds; 0 fetches them only on request',
  }),
  DATA_CENTER_LISTS: str({
    default: '',
    desc: 'Additional data center address lists, as comma-separated https URLs',
  }),
  IP_LISTS: str({ default: undefined, desc: 'Address lists to use instead of fetching them, as JSON: URL → list' }),
  KEY_DIRECTORIES: str({
    default: undefined,
    desc: 'Key directories to use instead of fetching them, as JSON: URL → keys',
  }),
};

type CatalogValues = ReturnType<typeof readEnvironment<typeof catalogSettings>>;

/** Parses the key directories and address lists in the settings. @throws {ConfigurationError} if one is invalid. */
export function parseCatalogSettings(values: CatalogValues) {
  const directories = parsePinned('KEY_DIRECTORIES', values.KEY_DIRECTORIES, readKeyDirectoriesFile) ?? [];
  return {
    ...values,
    /** Key directories that are never fetched. */
    pinnedDirectories: [...directories].map(([url, keySet]): PinnedDirectory => ({ url, keys: toKeys(keySet) })),
    /** Address lists that are never fetched, keyed by normalized URL. */
    pinnedLists: (parsePinned('IP_LISTS', values.IP_LISTS, readIpListsFile) ?? new Map()) as ReadonlyMap<
      string,
      readonly string[]
    >,
    dataCenterLists: [...DATA_CENTER_LISTS, ...parseDataCenterLists(values.DATA_CENTER_LISTS)],
  };
}

export type CatalogSettings = ReturnType<typeof parseCatalogSettings>;

export const defaultCatalogSettings = (): CatalogSettings => parseCatalogSettings(readEnvironment(catalogSettings, {}));

/** Parses `DATA_CENTER_LISTS`. The format of each list is detected later, from its content. */
function parseDataCenterLists(text: string): DataCenterList[] {
  const names = text.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const url = normalizeListUrl(name);
      if (url === null) throw new ConfigurationError(`DATA_CENTER_LISTS must contain only https URLs (got ${name})`);
      return { url, format: 'unknown' };
    });
}

/** Accepts a JWK set or a single JWK. */
function toKeys(keySet: string): object[] {
  const document = JSON.parse(keySet) as { keys?: object[] };
  return document.keys ?? [document];
}

function parsePinned<T>(name: string, text: string | undefined, read: (text: string) => T): T | null {
  if (text === undefined) return null;
  try {
    return read(text);
  } catch (error) {
    throw new ConfigurationError(`${name} is invalid: ${(error as Error).message}`);
  }
}

const specification = {
  ...serviceSettings(3005),
  ...databaseSettings,
  ...redisSettings,
  ...evidenceSettings,
  ...catalogSettings,
  ...internalSettings,
};

/** @throws {ConfigurationError} listing all invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    ...parseCatalogSettings(settings),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: toRedisAddress(settings),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    evidence: evidenceOptions(settings),
  };
}
