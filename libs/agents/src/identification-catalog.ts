import { compileAddressEvidence, type AddressEvidence, type PublishedList } from './address-evidence.js';
import { compileAddressOriginLookup, type AddressOriginLookup } from './address-origin.js';
import type { AgentDefinition } from './agent.js';
import { AgentMatcher } from './agent.matcher.js';
import type { IdentificationCatalog } from './identification.js';
import { compileProxyNetworks, type ProxyNetwork, type ProxyNetworks } from './proxy-networks.js';
import { toListedDirectoryUrl } from './web-bot-auth/directory-url.js';

/** Agents compiled for lookups. */
export interface CompiledAgents<Agent extends AgentDefinition = AgentDefinition> {
  matcher: AgentMatcher;
  /** Agents, keyed by lowercase token. */
  byToken: ReadonlyMap<string, Agent>;
  byId: ReadonlyMap<string, Agent>;
  /** Agents, keyed by the normalized URL of their key directory. */
  byDirectory: ReadonlyMap<string, Agent>;
}

/**
 * Compiles agents in catalog order.
 *
 * @throws {RangeError} if two agents have the same token.
 * @throws {SyntaxError} if a pattern doesn't compile.
 */
export function compileAgents<Agent extends AgentDefinition>(agents: readonly Agent[]): CompiledAgents<Agent> {
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
  return { matcher: new AgentMatcher(agents), byToken, byId, byDirectory };
}

/** Data that identification needs in addition to the agents. */
export interface IdentificationData {
  version: string;
  proxies: readonly ProxyNetwork[];
  /** Latest version of each operator's address lists. */
  lists: readonly PublishedList[];
}

/**
 * Combines compiled agents with address data. Compiles each agent's addresses on first use.
 *
 * @throws {RangeError} if a proxy range is invalid.
 */
export function createIdentificationCatalog(
  { matcher, byId, byDirectory }: CompiledAgents,
  { version, proxies, lists }: IdentificationData,
): IdentificationCatalog & { proxyNetworks: ProxyNetworks } {
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
    getAgentByDirectory: (url) => byDirectory.get(url) ?? null,
    getAddressEvidence,
    findAddressOrigin: (address) => {
      origins ??= compileAddressOriginLookup([...byId.values()], getAddressEvidence);
      const origin = origins(address);
      // Addresses of proxy networks don't indicate an agent, because people also use these networks through relays and
      // VPNs.
      return origin === null || proxyNetworks.find(address) !== null ? null : origin;
    },
  };
}
