import { Gauge } from 'prom-client';
import { bundledCatalog } from './bundled-catalog.js';
import { compileCatalog, type CompiledCatalog } from './compiled-catalog.js';

const revisionInUse = new Gauge({
  name: 'agent_traffic_catalog_revision',
  help: 'Revision of the catalog in use; 0 is the one of the release',
});
const agentsKnown = new Gauge({ name: 'agent_traffic_catalog_agents', help: 'Agents in the catalog in use' });
// Processes that only query the catalog service export no revision, so alerts don't flag them as stale.
for (const gauge of [revisionInUse, agentsKnown]) gauge.remove();

/** The catalog in use. It may be replaced at any time, so read `current` once per task. */
export abstract class CurrentCatalog {
  private compiled: CompiledCatalog | null = null;

  /** The current catalog. Until another one is loaded, the one bundled with the release. */
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
