import {
  ADDRESS_LIST_OPERATIONS,
  AGENT_OPERATIONS,
  ASSISTANT_OPERATIONS,
  FEED_OPERATIONS,
  toInternal,
  operation,
  type Explanation,
  type Operation,
  type PublicIdentification,
} from '#libs/contracts';
import { Type } from 'typebox';
import type { IdentificationItem, SiteSettings, VersionedSnapshotCatalog } from './api.js';

/** Items of one request to the catalog service. */
export interface IdentificationBatch {
  items: readonly IdentificationItem[];
  site: SiteSettings;
  /** Time limit for lookups, in milliseconds. */
  timeoutMs?: number;
}

interface ExplanationRequest {
  item: IdentificationItem;
  site: SiteSettings;
}

// Bodies come from this project's own services, so they aren't validated.
const internalPost = { method: 'post', access: 'internal', tag: 'Identification' } as const;

export const identifyBatchOperation = operation({
  ...internalPost,
  path: '/internal/identifications/at-once',
  id: 'identifyTogether',
  summary: 'Identify the items of several requests; null for a request that needs a lookup',
  body: Type.Unsafe<readonly IdentificationBatch[]>({}),
  answer: Type.Unsafe<(PublicIdentification[] | null)[]>({}),
});

export const identifyOperation = operation({
  ...internalPost,
  path: '/internal/identifications',
  id: 'identifyAlone',
  summary: 'Identify the items of one request, including lookups',
  body: Type.Unsafe<IdentificationBatch>({}),
  answer: Type.Unsafe<PublicIdentification[]>({}),
});

export const explainOperation = operation({
  ...internalPost,
  path: '/internal/identifications/explanation',
  id: 'explainAlone',
  summary: 'Identify the sender of one request and return the evidence',
  body: Type.Unsafe<ExplanationRequest>({}),
  answer: Type.Unsafe<Explanation>({}),
});

export const readSnapshotCatalogOperation = operation({
  ...internalPost,
  path: '/internal/snapshot-catalog',
  id: 'readSnapshotCatalog',
  summary: 'Catalog for sites that identify agents in their own process; null if it still has the given tag',
  body: Type.Unsafe<{ tag: string | null }>({}),
  answer: Type.Unsafe<VersionedSnapshotCatalog | null>({}),
});

export const INTERNAL_AGENT_OPERATIONS = {
  list: toInternal(AGENT_OPERATIONS.list),
  add: toInternal(AGENT_OPERATIONS.add),
  export: toInternal(AGENT_OPERATIONS.export),
  import: toInternal(AGENT_OPERATIONS.import),
  find: toInternal(AGENT_OPERATIONS.find),
  change: toInternal(AGENT_OPERATIONS.change),
  remove: toInternal(AGENT_OPERATIONS.remove),
};

export const INTERNAL_ASSISTANT_OPERATIONS = {
  list: toInternal(ASSISTANT_OPERATIONS.list),
  add: toInternal(ASSISTANT_OPERATIONS.add),
  find: toInternal(ASSISTANT_OPERATIONS.find),
  change: toInternal(ASSISTANT_OPERATIONS.change),
  remove: toInternal(ASSISTANT_OPERATIONS.remove),
};

export const INTERNAL_ADDRESS_LIST_OPERATIONS = { refreshAll: toInternal(ADDRESS_LIST_OPERATIONS.refreshAll) };

export const INTERNAL_FEED_OPERATIONS = {
  list: toInternal(FEED_OPERATIONS.list),
  add: toInternal(FEED_OPERATIONS.add),
  change: toInternal(FEED_OPERATIONS.change),
  refresh: toInternal(FEED_OPERATIONS.refresh),
  remove: toInternal(FEED_OPERATIONS.remove),
  listAgents: toInternal(FEED_OPERATIONS.listAgents),
  accept: toInternal(FEED_OPERATIONS.accept),
  dismiss: toInternal(FEED_OPERATIONS.dismiss),
};

export const CATALOG_SERVICE_OPERATIONS: readonly Operation[] = [
  identifyBatchOperation,
  identifyOperation,
  explainOperation,
  readSnapshotCatalogOperation,
  ...Object.values(INTERNAL_AGENT_OPERATIONS),
  ...Object.values(INTERNAL_ASSISTANT_OPERATIONS),
  ...Object.values(INTERNAL_ADDRESS_LIST_OPERATIONS),
  ...Object.values(INTERNAL_FEED_OPERATIONS),
];
