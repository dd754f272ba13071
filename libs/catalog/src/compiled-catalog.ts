import { hash } from 'node:crypto';
import {
  AgentMatcher,
  compileAddressEvidence,
  compileAddressOriginLookup,
  compileProxyNetworks,
  compileProxyRanges,
  toListedDirectoryUrl,
  parseKeySet,
  type AddressEvidence,
  type AddressOriginLookup,
  type AddressRanges,
  type AgentDefinition,
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
  const { version, proxies, lists, dataCenterRanges, directories, assistants } = catalog;
  const { matcher, byToken, byId, byDirectory } = compileAgents(catalog.agents);
  const listsByUrl = new Map(lists.map((list) => [list.url, list]));
  const addresses = new Map<AgentDefinition, AddressEvidence | null>();
  const proxyNetworks = compileProxyNetworks(proxies);
  const getAddressEvidence = (agent: AgentDefinition): AddressEvidence | null => {
    let evidence = addresses.get(agent);
    if (evidence === undefined) {
      evidence = compileAddressEvidence(agent, (url) => listsByUrl.get(url));
      addresses.set(agent, evidence);
    }
    return evidence;
  };
  let origins: AddressOriginLookup | undefined;
  return {
    version,
    matcher,
    proxyNetworks,
    dataCenters: dataCenterRanges.length === 0 ? null : compileProxyRanges(dataCenterRanges),
    byToken,
    byId,
    pinnedDirectories: new Map(directories.map(({ url, keys }) => [url, parseKeySet({ keys })])),
    referrals: new ReferralMatcher(assistants),
    getAgentByDirectory: (url) => byDirectory.get(url) ?? null,
    getAddressEvidence,
    findAddressOrigin: (address) => {
      origins ??= compileAddressOriginLookup(catalog.agents, getAddressEvidence);
      const origin = origins(address);
      // Addresses of proxy networks don't indicate an agent, because people also use these networks through relays and
      // VPNs.
      return origin === null || proxyNetworks.find(address) !== null ? null : origin;
    },
  };
}

interface CompiledAgents extends Pick<CompiledCatalog, 'matcher' | 'byToken' | 'byId'> {
  byDirectory: ReadonlyMap<string, Agent>;
}

let lastCompiled: { content: string; compiled: CompiledAgents } | undefined;

function compileAgents(agents: readonly Agent[]): CompiledAgents {
  const content = hash('sha256', JSON.stringify(agents));
  if (lastCompiled?.content === content) return lastCompiled.compiled;
  const byToken = new Map<string, Agent>();
  const byDirectory = new Map<string, Agent>();
  for (const agent of agents) {
    const token = agent.token.toLowerCase();
    if (byToken.has(token)) throw new RangeError(`Two agents have the token ${agent.token}`);
    byToken.set(token, agent);
    for (const signer of agent.verification.signature_agents ?? []) {
      const url = toListedDirectoryUrl(signer);
      // A directory that several agents share belongs to the first one.
      if (url !== null && !byDirectory.has(url)) byDirectory.set(url, agent);
    }
  }
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const compiled = { matcher: new AgentMatcher(agents), byToken, byId, byDirectory };
  lastCompiled = { content, compiled };
  return compiled;
}
