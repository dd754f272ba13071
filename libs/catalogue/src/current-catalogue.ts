import { Gauge } from 'prom-client';
import { bundledCatalogue } from './bundled-catalogue.js';
import { compileCatalogue, type CompiledCatalogue } from './compiled-catalogue.js';

const revisionInUse = new Gauge({
  name: 'agent_traffic_catalogue_revision',
  help: 'Revision of the catalogue in use; 0 is the one that came with the release',
});
const agentsKnown = new Gauge({ name: 'agent_traffic_catalogue_agents', help: 'Agents in the catalogue in use' });

/** The catalogue in use, wherever it comes from. Ask anew for each piece of work: it is swapped whole at any time. */
export abstract class CurrentCatalogue {
  private compiled: CompiledCatalogue | null = null;

  /** What came with the release, until there is something else. */
  get current(): CompiledCatalogue {
    if (this.compiled === null) this.swap(compileCatalogue(bundledCatalogue()), 0);
    return this.compiled!;
  }

  protected swap(catalogue: CompiledCatalogue, revision: number): void {
    this.compiled = catalogue;
    revisionInUse.set(revision);
    agentsKnown.set(catalogue.byId.size);
  }
}
