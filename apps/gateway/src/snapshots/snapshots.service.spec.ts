import { gunzipSync } from 'node:zlib';
import type { SnapshotCatalogApi } from '#libs/catalog';
import type { PolicyRule } from '#libs/contracts';
import { createStatementKey } from '#libs/statements';
import type { ProjectAccess } from '../access/access.repository.js';
import type { ProjectPoliciesService } from '../forward/project-policies.service.js';
import type { SigningKeyRepository } from './signing-key.repository.js';
import { SnapshotsService } from './snapshots.service.js';

it('creates a snapshot again only if the rules or the site have changed', async () => {
  const { privateKey } = await createStatementKey();
  let rules: readonly PolicyRule[] = [];
  const service = new SnapshotsService(
    { read: async () => ({ tag: '1', json: '{"version":"1"}' }) } as SnapshotCatalogApi,
    { find: async () => ({ id: '1', privateKey }) } as unknown as SigningKeyRepository,
    { findRules: async () => rules } as unknown as ProjectPoliciesService,
  );
  const find = async (hostNames: string[] = []) => {
    const site = { trustedProxies: {}, hostNames };
    const { snapshot } = await service.find({ projectId: '1', site } as unknown as ProjectAccess);
    return snapshot;
  };
  const first = await find();
  expect(JSON.parse(gunzipSync(first.gzipped).toString())).toMatchObject({ rules: [], catalog: { version: '1' } });
  expect(await find()).toBe(first);
  const other = await find(['site.example']);
  expect(other.contentHash).not.toBe(first.contentHash);
  rules = [{ id: '1', name: 'Rule', mode: 'live', action: { kind: 'refuse' } }];
  expect((await find(['site.example'])).contentHash).not.toBe(other.contentHash);
  service.onApplicationShutdown();
});
