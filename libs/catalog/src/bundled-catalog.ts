import agents from '../data/agents.json' with { type: 'json' };
import assistants from '../data/assistants.json' with { type: 'json' };
import dataCenters from '../data/data-centers.json' with { type: 'json' };
import proxies from '../data/proxies.json' with { type: 'json' };
import { catalogOf, type AgentRecord, type Catalog, type DataCenterList } from './catalog.js';

export const DATA_CENTER_LISTS: readonly DataCenterList[] = dataCenters.map(({ url, format }) => ({ url, format }));

/** Content of {@link bundledCatalog}. */
export const BUNDLED_PARTS = { agents: agents as readonly AgentRecord[], proxies, assistants };

let bundled: Catalog | undefined;

/** Returns the catalog that comes with this release. The object is created on first use and shared: don't modify it. */
export function bundledCatalog(): Catalog {
  bundled ??= catalogOf(BUNDLED_PARTS);
  return bundled;
}
