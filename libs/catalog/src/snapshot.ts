import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { KeyValue } from '#libs/cache';
import { CATALOG_KEYS } from '#libs/contracts';
import { DecodedBudget, decompress } from '#libs/platform';
import type { Agent, Catalog } from './catalog.js';

/** Version of the catalog, in the form that is shared between processes. */
export interface CatalogSnapshot {
  /** Number of changes so far, counted in the database. */
  revision: number;
  catalog: Catalog;
}

/** Time after which an unchanged snapshot expires. Readers keep the one they have loaded. */
const LIFETIME_SECONDS = 7 * 86_400;

const compress = promisify(gzip);
/** Maximum decompressed size. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** Publishes a snapshot. @throws RedisUnavailableError */
export async function writeSnapshot(store: KeyValue, { revision, catalog }: CatalogSnapshot): Promise<void> {
  const agents = catalog.agents.map(forMachines);
  const text = JSON.stringify({ revision, catalog: { ...catalog, agents } });
  const compressed = await compress(text);
  await store.set(CATALOG_KEYS.snapshot, compressed.toString('base64'), LIFETIME_SECONDS);
  // Written last, so a reader that sees the revision can also read its snapshot.
  await store.set(CATALOG_KEYS.revision, String(revision), LIFETIME_SECONDS);
}

/** Removes the sources, which only people need. Samples stay: the rules service uses them. */
function forMachines(agent: Agent): Agent {
  const { sources: _, ...rest } = agent;
  return rest;
}

/**
 * Returns the published snapshot, or null if there is none. @throws RedisUnavailableError, or Error if it's malformed.
 */
export async function readSnapshot(store: KeyValue): Promise<CatalogSnapshot | null> {
  const text = await store.get(CATALOG_KEYS.snapshot);
  if (text === null) return null;
  const bytes = await decompress(Buffer.from(text, 'base64'), 'gzip', new DecodedBudget(MAX_SNAPSHOT_BYTES));
  return JSON.parse(bytes.toString()) as CatalogSnapshot;
}

/** Returns the revision of the published snapshot, or null if there is none. @throws RedisUnavailableError */
export async function snapshotRevision(store: KeyValue): Promise<number | null> {
  const text = await store.get(CATALOG_KEYS.revision);
  return text === null ? null : Number(text);
}
