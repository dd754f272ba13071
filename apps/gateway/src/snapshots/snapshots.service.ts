import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LookupCache } from '#libs/cache';
import { SnapshotCatalogApi, type VersionedSnapshotCatalog } from '#libs/catalog';
import { SNAPSHOT_VERSION, type SnapshotContent } from '#libs/engine';
import { unavailable } from '#libs/platform';
import type { SigningKey } from '#libs/statements';
import { LRUCache } from 'lru-cache';
import type { ProjectAccess } from '../access/access.repository.js';
import { ProjectPoliciesService } from '../forward/project-policies.service.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** How often the catalog and the key are read again, in milliseconds. */
const CATALOG_INTERVAL_MS = 10_000;
const KEY_INTERVAL_MS = 60_000;
/** Number of projects whose compressed snapshots are cached. */
const MAX_CACHED_SNAPSHOTS = 200;
/** Maximum size before compression, in UTF-16 code units. Engines reject larger snapshots. */
const MAX_CONTENT_LENGTH = 32 * 1_024 * 1_024;

/** Cache key of the only entry. */
const ONLY = 'only';

interface Snapshot {
  /** SHA-256 hash of the content, in base64url. */
  contentHash: string;
  /** JSON text, compressed with gzip. */
  gzipped: Buffer;
}

interface CachedSnapshot {
  /** The project's part of the content, as JSON. */
  own: string;
  catalogTag: string;
  snapshot: Promise<Snapshot>;
}

const compress = promisify(gzip);

/** Creates snapshots for sites that decide in their own process. */
@Injectable()
export class SnapshotsService implements OnApplicationShutdown {
  private readonly catalogs: LookupCache<VersionedSnapshotCatalog>;
  private readonly keys: LookupCache<SigningKey>;
  /** Current snapshot by project ID. */
  private readonly snapshots = new LRUCache<string, CachedSnapshot>({ max: MAX_CACHED_SNAPSHOTS });
  private catalog: VersionedSnapshotCatalog | null = null;

  constructor(
    api: SnapshotCatalogApi,
    signingKeys: SigningKeyRepository,
    private readonly policies: ProjectPoliciesService,
  ) {
    this.catalogs = new LookupCache({
      refreshIntervalMs: CATALOG_INTERVAL_MS,
      load: async () => {
        this.catalog = (await api.read(this.catalog?.tag ?? null)) ?? this.catalog;
        return new Map(this.catalog === null ? [] : [[ONLY, this.catalog]]);
      },
    });
    this.keys = new LookupCache({
      refreshIntervalMs: KEY_INTERVAL_MS,
      load: async () => {
        const key = await signingKeys.find();
        return new Map(key === null ? [] : [[ONLY, key]]);
      },
    });
  }

  onApplicationShutdown(): void {
    for (const cache of [this.catalogs, this.keys]) cache.close();
  }

  /** @throws {ProblemError} 503 if a part of the snapshot is unavailable. */
  async find({ projectId, site }: ProjectAccess): Promise<{ snapshot: Snapshot; content: string; key: SigningKey }> {
    const [catalog, key, rules] = await Promise.all([
      read(this.catalogs, ONLY),
      read(this.keys, ONLY),
      this.policies.findRules(projectId),
    ]);
    if (key === undefined) {
      throw unavailable(
        'Snapshots cannot be signed: set SECRET_KEY on the gateway to the same value as on the console.',
      );
    }
    if (catalog === undefined) throw unavailable('The snapshot is not available yet.');
    const ownContent: Omit<SnapshotContent, 'catalog'> = { version: SNAPSHOT_VERSION, site, rules };
    const own = JSON.stringify(ownContent);
    const content = `${own.slice(0, -1)},"catalog":${catalog.json}}`;
    if (content.length > MAX_CONTENT_LENGTH) throw unavailable('The catalog is too large for a snapshot.');
    return { snapshot: await this.createOnce(projectId, own, catalog.tag, content), content, key };
  }

  /** Hashes and compresses the content only if it has changed, because that takes many milliseconds. */
  private createOnce(projectId: string, own: string, catalogTag: string, content: string): Promise<Snapshot> {
    const cached = this.snapshots.get(projectId);
    if (cached?.own === own && cached.catalogTag === catalogTag) return cached.snapshot;
    const contentHash = hash('sha256', content, 'base64url');
    const snapshot = compress(content).then((gzipped) => ({ contentHash, gzipped }));
    this.snapshots.set(projectId, { own, catalogTag, snapshot });
    snapshot.catch(() => this.snapshots.delete(projectId));
    return snapshot;
  }
}

async function read<Value extends {}>(cache: LookupCache<Value>, key: string): Promise<Value | undefined> {
  try {
    return cache.getCached(key) ?? (await cache.get(key));
  } catch (error) {
    throw unavailable('The snapshot cannot be created right now. Try again in a moment.', error, 2);
  }
}
