import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { KeyValueStore } from '#libs/cache';
import { CATALOG_KEYS } from '#libs/contracts';
import { DecodedBudget, decompress } from '#libs/platform';
import type { Agent, Catalog } from './catalog.js';

/** Catalog in the form that is shared between processes. */
export interface CatalogSnapshot {
  /** Change counter from the database. Increases with every change. */
  revision: number;
  catalog: Catalog;
}

/** How long a snapshot stays in the store if it isn't replaced. Processes that have loaded it continue to use it. */
const SNAPSHOT_TTL_SECONDS = 7 * 86_400;

const compress = promisify(gzip);
/** Maximum size after decompression. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

/** Publishes a snapshot. @throws {RedisUnavailableError} */
export async function writeSnapshot(store: KeyValueStore, { revision, catalog }: CatalogSnapshot): Promise<void> {
  const agents = catalog.agents.map(omitSources);
  const text = JSON.stringify({ revision, catalog: { ...catalog, agents } });
  const compressed = await compress(text);
  await store.set(CATALOG_KEYS.snapshot, compressed.toString('base64'), SNAPSHOT_TTL_SECONDS);
  // Written last, so that a reader that sees the revision can also read its snapshot.
  await store.set(CATALOG_KEYS.revision, String(revision), SNAPSHOT_TTL_SECONDS);
}

/** Removes the sources, which are only for human readers. Keeps the samples, which the rules service needs. */
function omitSources(agent: Agent): Agent {
  const { sources: _, ...rest } = agent;
  return rest;
}

/**
 * Returns the published snapshot, or null if none exists.
 *
 * @throws {RedisUnavailableError}
 * @throws {Error} if the snapshot is malformed.
 */
export async function readSnapshot(store: KeyValueStore): Promise<CatalogSnapshot | null> {
  const text = await store.get(CATALOG_KEYS.snapshot);
  if (text === null) return null;
  const bytes = await decompress(Buffer.from(text, 'base64'), 'gzip', new DecodedBudget(MAX_SNAPSHOT_BYTES));
  return JSON.parse(bytes.toString()) as CatalogSnapshot;
}

/** Returns the revision of the published snapshot, or null if none exists. @throws {RedisUnavailableError} */
export async function readSnapshotRevision(store: KeyValueStore): Promise<number | null> {
  const text = await store.get(CATALOG_KEYS.revision);
  return text === null ? null : Number(text);
}
