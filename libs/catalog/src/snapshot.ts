import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { KeyValue } from '#libs/cache';
import { CATALOG_KEYS } from '#libs/contracts';
import { DecodedBudget, decompress } from '#libs/platform';
import type { Agent, Catalog } from './catalog.js';

/** A state of the catalog, as processes hand it on to each other. */
export interface CatalogSnapshot {
  /** Counts changes; the database's. */
  revision: number;
  catalog: Catalog;
}

/** Seconds for which a snapshot nobody writes again is kept: readers go on with what they have after that. */
const LIFETIME_SECONDS = 7 * 86_400;

const compress = promisify(gzip);
/** Bytes; a snapshot has some 2 MB. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** Puts a snapshot where all readers find it. Some 300 kB. @throws RedisUnavailableError */
export async function writeSnapshot(store: KeyValue, { revision, catalog }: CatalogSnapshot): Promise<void> {
  const agents = catalog.agents.map(forMachines);
  const text = JSON.stringify({ revision, catalog: { ...catalog, agents } });
  const compressed = await compress(text);
  await store.set(CATALOG_KEYS.snapshot, compressed.toString('base64'), LIFETIME_SECONDS);
  // Last, so that a reader that sees the revision finds its snapshot.
  await store.set(CATALOG_KEYS.revision, String(revision), LIFETIME_SECONDS);
}

/** Sources are for people. Samples tell rules which agents go together. */
function forMachines(agent: Agent): Agent {
  const { sources: _, ...rest } = agent;
  return rest;
}

/** @returns null when there is none. @throws RedisUnavailableError, or Error for anything that is not a snapshot. */
export async function readSnapshot(store: KeyValue): Promise<CatalogSnapshot | null> {
  const text = await store.get(CATALOG_KEYS.snapshot);
  if (text === null) return null;
  const bytes = await decompress(Buffer.from(text, 'base64'), 'gzip', new DecodedBudget(MAX_SNAPSHOT_BYTES));
  return JSON.parse(bytes.toString()) as CatalogSnapshot;
}

/** The revision of the snapshot that can be read; null when there is none. @throws RedisUnavailableError */
export async function snapshotRevision(store: KeyValue): Promise<number | null> {
  const text = await store.get(CATALOG_KEYS.revision);
  return text === null ? null : Number(text);
}
