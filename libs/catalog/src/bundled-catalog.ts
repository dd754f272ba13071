import agents from '../data/agents.json' with { type: 'json' };
import assistants from '../data/assistants.json' with { type: 'json' };
import proxies from '../data/proxies.json' with { type: 'json' };
import { catalogOf, type AgentRecord, type Catalog } from './catalog.js';

let bundled: Catalog | undefined;

/** The catalog that comes with this release. Made on first use, then always the same object: don't change it. */
export function bundledCatalog(): Catalog {
  bundled ??= catalogOf({ agents: agents as AgentRecord[], proxies, assistants });
  return bundled;
}
