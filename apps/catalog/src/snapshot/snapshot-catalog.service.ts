import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { toListedDirectoryUrl, type EvidenceSources, type KeySet } from '#libs/agents';
import { createSnapshotCatalog, SnapshotCatalogApi, type Catalog, type VersionedSnapshotCatalog } from '#libs/catalog';
import { ALLOW_TEST_KEYS, EVIDENCE_SOURCES } from '#libs/evidence';
import { CLOCK, type Clock } from '#libs/platform';
import { CatalogService } from '../catalog/catalog.service.js';

/** Creates the catalog for sites that identify agents in their own process. */
@Injectable()
export class SnapshotCatalogService extends SnapshotCatalogApi {
  constructor(
    private readonly catalog: CatalogService,
    @Inject(EVIDENCE_SOURCES) private readonly sources: EvidenceSources,
    @Inject(ALLOW_TEST_KEYS) private readonly allowTestKeys: boolean,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    super();
  }

  async read(tag: string | null): Promise<VersionedSnapshotCatalog | null> {
    const { source } = this.catalog;
    const keySets = (await this.sources.directories.listCached?.(listDirectories(source))) ?? new Map<string, KeySet>();
    const json = JSON.stringify(createSnapshotCatalog(source, keySets, this.allowTestKeys, this.now()));
    const current = hash('sha256', json, 'base64url');
    return current === tag ? null : { tag: current, json };
  }
}

function listDirectories({ agents, directories }: Catalog): Set<string> {
  const listed = agents.flatMap(({ verification }) => (verification.signature_agents ?? []).map(toListedDirectoryUrl));
  return new Set([...listed.filter((url) => url !== null), ...directories.map(({ url }) => url)].toSorted());
}
