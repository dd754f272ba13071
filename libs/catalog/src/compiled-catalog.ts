import { hash } from 'node:crypto';
import {
  compileAgents,
  compileProxyRanges,
  createIdentificationCatalog,
  parseKeySet,
  type AddressRanges,
  type CompiledAgents,
  type KeySet,
  type IdentificationCatalog,
  type ProxyNetworks,
} from '#libs/agents';
import { ReferralMatcher } from '#libs/referrals';
import type { Agent, Catalog } from './catalog.js';

/** Catalog compiled for lookups. Immutable: a new version is compiled separately and replaces this one. */
export interface CompiledCatalog extends IdentificationCatalog {
  /** Content delivery networks, load balancers and hosting platforms. */
  proxyNetworks: ProxyNetworks;
  /** Null until the data center lists are fetched. */
  dataCenters: AddressRanges | null;
  /** Agents, keyed by lowercase token. */
  byToken: ReadonlyMap<string, Agent>;
  byId: ReadonlyMap<string, Agent>;
  /** Preconfigured key directories, keyed by URL. They are never fetched. */
  pinnedDirectories: ReadonlyMap<string, KeySet>;
  referrals: ReferralMatcher;
}

/**
 * Compiles a catalog. Reuses the agents compiled by the previous call if they haven't changed. Compiles each agent's
 * addresses on first use.
 *
 * @throws {RangeError} if two agents have the same token, or a proxy range is invalid.
 * @throws {SyntaxError} if a pattern doesn't compile, or a pinned directory contains no keys.
 */
export function compileCatalog(catalog: Catalog): CompiledCatalog {
  const { dataCenterRanges, directories, assistants } = catalog;
  const agents = compileAgentsOnce(catalog.agents);
  return {
    ...createIdentificationCatalog(agents, catalog),
    dataCenters: dataCenterRanges.length === 0 ? null : compileProxyRanges(dataCenterRanges),
    byToken: agents.byToken,
    byId: agents.byId,
    pinnedDirectories: new Map(directories.map(({ url, keys }) => [url, parseKeySet({ keys })])),
    referrals: new ReferralMatcher(assistants),
  };
}

let lastCompiled: { content: string; compiled: CompiledAgents<Agent> } | undefined;

function compileAgentsOnce(agents: readonly Agent[]): CompiledAgents<Agent> {
  const content = hash('sha256', JSON.stringify(agents));
  if (lastCompiled?.content !== content) lastCompiled = { content, compiled: compileAgents(agents) };
  return lastCompiled.compiled;
}
