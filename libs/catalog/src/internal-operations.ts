import {
  AGENT_OPERATIONS,
  ASSISTANT_OPERATIONS,
  FEED_OPERATIONS,
  internal,
  operation,
  type Explanation,
  type Operation,
  type PublicIdentification,
} from '#libs/contracts';
import { Type } from 'typebox';
import type { IdentificationItem, SiteSettings } from './api.js';

/** Items of one request that the gateway sends to the catalog service. */
export interface ItemsToIdentify {
  items: readonly IdentificationItem[];
  site: SiteSettings;
  /** Time limit for lookups, in milliseconds. */
  timeoutMs?: number;
}

interface ItemToExplain {
  item: IdentificationItem;
  site: SiteSettings;
}

// Bodies come from our own services, so they aren't validated.
const internalPost = { method: 'post', access: 'internal', tag: 'Identification' } as const;

export const identifyTogether = operation({
  ...internalPost,
  path: '/internal/identifications/at-once',
  id: 'identifyTogether',
  summary: 'The items of several requests; null for those that take a look-up, which are sent again alone',
  body: Type.Unsafe<readonly ItemsToIdentify[]>({}),
  answer: Type.Unsafe<(PublicIdentification[] | null)[]>({}),
});

export const identifyAlone = operation({
  ...internalPost,
  path: '/internal/identifications',
  id: 'identifyAlone',
  summary: 'The items of one request, with what is looked up',
  body: Type.Unsafe<ItemsToIdentify>({}),
  answer: Type.Unsafe<PublicIdentification[]>({}),
});

export const explainAlone = operation({
  ...internalPost,
  path: '/internal/identifications/explanation',
  id: 'explainAlone',
  summary: 'One identification with its evidence',
  body: Type.Unsafe<ItemToExplain>({}),
  answer: Type.Unsafe<Explanation>({}),
});

export const INTERNAL_AGENT_OPERATIONS = {
  list: internal(AGENT_OPERATIONS.list),
  add: internal(AGENT_OPERATIONS.add),
  export: internal(AGENT_OPERATIONS.export),
  import: internal(AGENT_OPERATIONS.import),
  find: internal(AGENT_OPERATIONS.find),
  change: internal(AGENT_OPERATIONS.change),
  remove: internal(AGENT_OPERATIONS.remove),
};

export const INTERNAL_ASSISTANT_OPERATIONS = {
  list: internal(ASSISTANT_OPERATIONS.list),
  add: internal(ASSISTANT_OPERATIONS.add),
  find: internal(ASSISTANT_OPERATIONS.find),
  change: internal(ASSISTANT_OPERATIONS.change),
  remove: internal(ASSISTANT_OPERATIONS.remove),
};

export const INTERNAL_FEED_OPERATIONS = {
  list: internal(FEED_OPERATIONS.list),
  add: internal(FEED_OPERATIONS.add),
  change: internal(FEED_OPERATIONS.change),
  refresh: internal(FEED_OPERATIONS.refresh),
  remove: internal(FEED_OPERATIONS.remove),
  listAgents: internal(FEED_OPERATIONS.listAgents),
  accept: internal(FEED_OPERATIONS.accept),
  dismiss: internal(FEED_OPERATIONS.dismiss),
};

export const CATALOG_SERVICE_OPERATIONS: readonly Operation[] = [
  identifyTogether,
  identifyAlone,
  explainAlone,
  ...Object.values(INTERNAL_AGENT_OPERATIONS),
  ...Object.values(INTERNAL_ASSISTANT_OPERATIONS),
  ...Object.values(INTERNAL_FEED_OPERATIONS),
];
