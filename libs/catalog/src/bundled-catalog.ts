import agents from '../data/agents.json' with { type: 'json' };
import assistants from '../data/assistants.json' with { type: 'json' };
import dataCenters from '../data/data-centers.json' with { type: 'json' };
import proxies from '../data/proxies.json' with { type: 'json' };
import { catalogOf, type AgentRecord, type Catalog, type DataCenterList } from './catalog.js';

/** Where providers publish the ranges of their data centers. */
export const DATA_CENTER_LISTS: readonly DataCenterList[] = dataCenters.map(({ url, format }) => ({ url, format }));

/** What {@link bundledCatalog} is made of. */
export const BUNDLED_PARTS = { agents: agents as readonly AgentRecord[], proxies, assistants };

let bundled: Catalog | undefined;

/** The catalog that comes with this release. Made on first use, then always the same object: don't change it. */
export function bundledCatalog(): Catalog {
  bundled ??= catalogOf(BUNDLED_PARTS);
  return bundled;
}
