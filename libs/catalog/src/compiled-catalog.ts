import { hash } from 'node:crypto';
import {
  AgentMatcher,
  compileAddressEvidence,
  compileAddressOrigins,
  compileProxyNetworks,
  compileProxyRanges,
  listedDirectoryUrl,
  readKeySet,
  type AddressEvidence,
  type AddressOrigins,
  type AddressRanges,
  type AgentDefinition,
  type KeySet,
  type KnownAgents,
  type ProxyNetworks,
} from '#libs/agents';
import { ReferralMatcher } from '#libs/referrals';
import type { Agent, Catalog } from './catalog.js';

/** Catalog compiled for lookups. Immutable: a new version is compiled separately and replaces it. */
export interface CompiledCatalog extends KnownAgents {
  /** Content delivery networks, load balancers and hosting platforms. */
  proxyNetworks: ProxyNetworks;
  /** Null until the data center lists are fetched. */
  dataCenters: AddressRanges | null;
  /** Agents by lowercase token. */
  byToken: ReadonlyMap<string, Agent>;
  byId: ReadonlyMap<string, Agent>;
  /** Configured key directories by URL. They are never fetched. */
  pinnedDirectories: ReadonlyMap<string, KeySet>;
  referrals: ReferralMatcher;
}

/**
 * Compiles a catalog. The compiled agents of the previous call are reused if the agents are the same. Each agent's
 * addresses are compiled when first needed.
 *
 * @throws {RangeError} if a token occurs twice, or a proxy range is invalid.
 * @throws {SyntaxError} if a pattern doesn't compile, or a pinned directory contains no keys.
 */
export function compileCatalog(catalog: Catalog): CompiledCatalog {
  const { version, proxies, lists, dataCenterRanges, directories, assistants } = catalog;
  const { matcher, byToken, byId, byDirectory } = compileAgents(catalog.agents);
  const listsByUrl = new Map(lists.map((list) => [list.url, list]));
  const addresses = new Map<AgentDefinition, AddressEvidence | null>();
  const proxyNetworks = compileProxyNetworks(proxies);
  const addressesOf = (agent: AgentDefinition): AddressEvidence | null => {
    let evidence = addresses.get(agent);
    if (evidence === undefined) {
      evidence = compileAddressEvidence(agent, (url) => listsByUrl.get(url));
      addresses.set(agent, evidence);
    }
    return evidence;
  };
  let origins: AddressOrigins | undefined;
  return {
    version,
    matcher,
    proxyNetworks,
    dataCenters: dataCenterRanges.length === 0 ? null : compileProxyRanges(dataCenterRanges),
    byToken,
    byId,
    pinnedDirectories: new Map(directories.map(({ url, keys }) => [url, readKeySet({ keys })])),
    referrals: new ReferralMatcher(assistants),
    agentOfDirectory: (url) => byDirectory.get(url) ?? null,
    addressesOf,
    originOf: (address) => {
      origins ??= compileAddressOrigins(catalog.agents, addressesOf);
      const origin = origins(address);
      // People also use proxy networks, through relays and VPNs.
      return origin === null || proxyNetworks.find(address) !== null ? null : origin;
    },
  };
}

interface CompiledAgents extends Pick<CompiledCatalog, 'matcher' | 'byToken' | 'byId'> {
  byDirectory: ReadonlyMap<string, Agent>;
}

let latest: { content: string; compiled: CompiledAgents } | undefined;

function compileAgents(agents: readonly Agent[]): CompiledAgents {
  const content = hash('sha256', JSON.stringify(agents));
  if (latest?.content === content) return latest.compiled;
  const byToken = new Map<string, Agent>();
  const byDirectory = new Map<string, Agent>();
  for (const agent of agents) {
    const token = agent.token.toLowerCase();
    if (byToken.has(token)) throw new RangeError(`Two agents have the token ${agent.token}`);
    byToken.set(token, agent);
    for (const signer of agent.verification.signature_agents ?? []) {
      const url = listedDirectoryUrl(signer);
      // If several agents share a directory, it belongs to the first.
      if (url !== null && !byDirectory.has(url)) byDirectory.set(url, agent);
    }
  }
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const compiled = { matcher: new AgentMatcher(agents), byToken, byId, byDirectory };
  latest = { content, compiled };
  return compiled;
}
