import agents from '../data/agents.json' with { type: 'json' };
import proxies from '../data/proxies.json' with { type: 'json' };
import { catalogueOf, type AgentRecord, type Catalogue } from './catalogue.js';

let bundled: Catalogue | undefined;

/** The catalogue that comes with this release. Made on first use, then always the same object: don't change it. */
export function bundledCatalogue(): Catalogue {
  bundled ??= catalogueOf({ agents: agents as AgentRecord[], proxies });
  return bundled;
}
