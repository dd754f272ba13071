import { Gauge } from 'prom-client';
import { getBundledCatalog } from './bundled-catalog.js';
import { compileCatalog, type CompiledCatalog } from './compiled-catalog.js';

const revisionGauge = new Gauge({
  name: 'agent_traffic_catalog_revision',
  help: 'Revision of the current catalog; 0 for the bundled one',
});
const agentsGauge = new Gauge({ name: 'agent_traffic_catalog_agents', help: 'Agents in the current catalog' });
// Removes the initial value 0. Otherwise, alerts would flag processes as stale even if they only query the catalog
// service and never load a catalog.
for (const gauge of [revisionGauge, agentsGauge]) gauge.remove();

/** Provides the catalog in use. It can be replaced at any time, so read `current` once per task. */
export abstract class CurrentCatalog {
  private compiled: CompiledCatalog | null = null;

  /** Returns the bundled catalog until another one is loaded. */
  get current(): CompiledCatalog {
    if (this.compiled === null) this.swap(compileCatalog(getBundledCatalog()), 0);
    return this.compiled!;
  }

  protected swap(catalog: CompiledCatalog, revision: number): void {
    this.compiled = catalog;
    revisionGauge.set(revision);
    agentsGauge.set(catalog.byId.size);
  }
}
