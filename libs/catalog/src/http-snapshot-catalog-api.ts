import type { InternalClient } from '#libs/platform';
import { SnapshotCatalogApi, type VersionedSnapshotCatalog } from './api.js';
import { readSnapshotCatalogOperation } from './internal-operations.js';

/** Client for the catalog service. */
export class HttpSnapshotCatalogApi extends SnapshotCatalogApi {
  constructor(private readonly client: InternalClient) {
    super();
  }

  async read(tag: string | null): Promise<VersionedSnapshotCatalog | null> {
    return this.client.call(readSnapshotCatalogOperation, { body: { tag } });
  }
}
