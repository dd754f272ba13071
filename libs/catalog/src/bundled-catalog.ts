import agents from '../data/agents.json' with { type: 'json' };
import assistants from '../data/assistants.json' with { type: 'json' };
import dataCenters from '../data/data-centers.json' with { type: 'json' };
import proxies from '../data/proxies.json' with { type: 'json' };
import {
  addAgentId,
  createCatalog,
  type Agent,
  type AgentRecord,
  type Catalog,
  type DataCenterList,
} from './catalog.js';

export const DATA_CENTER_LISTS: readonly DataCenterList[] = dataCenters.map(({ url, format }) => ({ url, format }));

/** Parts that {@link getBundledCatalog} is built from. */
export const BUNDLED_PARTS = { agents: agents as readonly AgentRecord[], proxies, assistants };

/** Returns the agents bundled with this release. Faster than {@link getBundledCatalog}, which also computes a version. */
export const getBundledAgents = (): Agent[] => BUNDLED_PARTS.agents.map(addAgentId);

let cachedCatalog: Catalog | undefined;

/** Returns the catalog bundled with this release. It is created on first use and shared, so don't modify it. */
export function getBundledCatalog(): Catalog {
  cachedCatalog ??= createCatalog(BUNDLED_PARTS);
  return cachedCatalog;
}
