import { redisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { DATA_CENTER_LISTS, type DataCenterList, type PinnedDirectory } from '#libs/catalog';
import { evidenceOptions, evidenceSettings, listUrl, readIpListsFile, readKeyDirectoriesFile } from '#libs/evidence';
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
  PUBLIC_URL: url({ default: 'http://127.0.0.1:3000', desc: 'Address under which everything is reached' }),
  IP_LISTS_REFRESH_HOURS: integer({ min: 0, max: 168 })({
    default: 24,
    desc: 'Hours after which published address lists are fetched again; 0 fetches none',
  }),
  AGENT_FEEDS_REFRESH_HOURS: integer({ min: 0, max: 168 })({
    default: 24,
    desc: 'Hours after which feeds of agents are fetched again; 0 fetches them only on request',
  }),
  DATA_CENTER_LISTS: str({
    default: '',
    desc: 'Further address lists of data centers, as https URLs separated by commas',
  }),
  IP_LISTS: str({ default: undefined, desc: 'Address lists that are not fetched, as JSON: URL → list' }),
  KEY_DIRECTORIES: str({ default: undefined, desc: 'Key directories that are not fetched, as JSON: URL → keys' }),
};

type CatalogValues = ReturnType<typeof readEnvironment<typeof catalogSettings>>;

/** Parses the key directories and address lists in the settings. @throws ConfigurationError if one is invalid. */
export function parseCatalogSettings(values: CatalogValues) {
  const directories = pinned('KEY_DIRECTORIES', values.KEY_DIRECTORIES, readKeyDirectoriesFile) ?? [];
  return {
    ...values,
    /** Key directories that are never fetched. */
    pinnedDirectories: [...directories].map(([url, keySet]): PinnedDirectory => ({ url, keys: keysOf(keySet) })),
    /** Address lists that are never fetched, by `listUrl`. */
    pinnedLists: (pinned('IP_LISTS', values.IP_LISTS, readIpListsFile) ?? new Map()) as ReadonlyMap<
      string,
      readonly string[]
    >,
    dataCenterLists: [...DATA_CENTER_LISTS, ...ownDataCenterLists(values.DATA_CENTER_LISTS)],
  };
}

export type CatalogSettings = ReturnType<typeof parseCatalogSettings>;

export const defaultCatalogSettings = (): CatalogSettings => parseCatalogSettings(readEnvironment(catalogSettings, {}));

/** Parses `DATA_CENTER_LISTS`. Each list's format is detected from its content. @throws ConfigurationError */
function ownDataCenterLists(text: string): DataCenterList[] {
  const names = text.split(',').map((name) => name.trim());
  return names
    .filter((name) => name !== '')
    .map((name) => {
      const url = listUrl(name);
      if (url === null) throw new ConfigurationError(`DATA_CENTER_LISTS must have https URLs (got ${name})`);
      return { url, format: 'unknown' };
    });
}

/** Returns the keys of a JWK set, or a single JWK as a list. */
function keysOf(keySet: string): object[] {
  const document = JSON.parse(keySet) as { keys?: object[] };
  return document.keys ?? [document];
}

function pinned<T>(name: string, text: string | undefined, read: (text: string) => T): T | null {
  if (text === undefined) return null;
  try {
    return read(text);
  } catch (error) {
    throw new ConfigurationError(`${name} cannot be used: ${(error as Error).message}`);
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

/** @throws ConfigurationError listing all invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    ...parseCatalogSettings(settings),
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    evidence: evidenceOptions(settings),
  };
}
