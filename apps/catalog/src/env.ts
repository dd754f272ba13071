import { redisAddress, redisSettings } from '#libs/cache';
import { databaseSettings, databaseUrl } from '#libs/database';
import { DATA_CENTER_LISTS, type DataCenterList } from '#libs/catalog';
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
import type { CatalogModuleOptions } from './catalog.module.js';

/** What is catalog's own; the standalone has it, too. */
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

interface CatalogSettings {
  PUBLIC_URL: string;
  IP_LISTS_REFRESH_HOURS: number;
  AGENT_FEEDS_REFRESH_HOURS: number;
  DATA_CENTER_LISTS: string;
  IP_LISTS: string | undefined;
  KEY_DIRECTORIES: string | undefined;
}

/** @param isServed whether other services ask over HTTP. @throws ConfigurationError for what can't be pinned. */
export function catalogModuleOptions(settings: CatalogSettings, isServed: boolean): CatalogModuleOptions {
  const directories = pinned('KEY_DIRECTORIES', settings.KEY_DIRECTORIES, readKeyDirectoriesFile) ?? [];
  return {
    catalog: {
      publicUrl: settings.PUBLIC_URL,
      pinnedDirectories: [...directories].map(([url, keySet]) => ({ url, keys: keysOf(keySet) })),
      dataCenterLists: [...DATA_CENTER_LISTS, ...ownDataCenterLists(settings.DATA_CENTER_LISTS)],
    },
    addressLists: {
      refreshHours: settings.IP_LISTS_REFRESH_HOURS,
      pinned: pinned('IP_LISTS', settings.IP_LISTS, readIpListsFile) ?? new Map(),
    },
    feeds: { refreshHours: settings.AGENT_FEEDS_REFRESH_HOURS },
    isServed,
  };
}

/** Reads addresses of lists in any format, which is told by the content. @throws ConfigurationError */
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

/** A set, or a single key. */
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

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return {
    ...settings,
    pretty: isPretty(settings.LOG_FORMAT),
    redis: redisAddress(settings),
    DATABASE_URL: databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD),
    evidence: evidenceOptions(settings),
    catalog: catalogModuleOptions(settings, true),
  };
}
