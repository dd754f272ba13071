import { Gauge } from 'prom-client';
import { bundledCatalog } from './bundled-catalog.js';
import { compileCatalog, type CompiledCatalog } from './compiled-catalog.js';

const revisionInUse = new Gauge({
  name: 'agent_traffic_catalog_revision',
  help: 'Revision of the catalog in use; 0 is the one of the release',
});
const agentsKnown = new Gauge({ name: 'agent_traffic_catalog_agents', help: 'Agents in the catalog in use' });
// A process that only asks catalog has none in use, and must not be taken for one that is behind.
for (const gauge of [revisionInUse, agentsKnown]) gauge.remove();

/** The catalog in use, wherever it comes from. Ask anew for each piece of work: it is swapped whole at any time. */
export abstract class CurrentCatalog {
  private compiled: CompiledCatalog | null = null;

  /** What came with the release, until there is something else. */
  get current(): CompiledCatalog {
    if (this.compiled === null) this.swap(compileCatalog(bundledCatalog()), 0);
    return this.compiled!;
  }

  protected swap(catalog: CompiledCatalog, revision: number): void {
    this.compiled = catalog;
    revisionInUse.set(revision);
    agentsKnown.set(catalog.byId.size);
  }
}
