import { AgentMatcher, compileProxyRanges, type ProxyRanges } from '#libs/agents';
import type { Agent, Catalogue } from './catalogue.js';

/** A catalogue made ready for looking up. It is never changed: a new version is compiled and takes its place. */
export interface CompiledCatalogue {
  version: string;
  matcher: AgentMatcher;
  /** Edges of content delivery networks. */
  proxyRanges: ProxyRanges;
  /** By token, in lower case. */
  byToken: ReadonlyMap<string, Agent>;
  byId: ReadonlyMap<string, Agent>;
}

/**
 * Takes about a tenth of a second for 2,000 agents.
 * @throws {RangeError} when a token occurs twice, or a proxy's range can't be read
 * @throws {SyntaxError} when a pattern doesn't compile
 */
export function compileCatalogue({ version, agents, proxies }: Catalogue): CompiledCatalogue {
  const byToken = new Map<string, Agent>();
  for (const agent of agents) {
    const token = agent.token.toLowerCase();
    if (byToken.has(token)) throw new RangeError(`Two agents have the token ${agent.token}`);
    byToken.set(token, agent);
  }
  return {
    version,
    matcher: new AgentMatcher(agents),
    proxyRanges: compileProxyRanges(proxies.flatMap((proxy) => proxy.ranges)),
    byToken,
    byId: new Map(agents.map((agent) => [agent.id, agent])),
  };
}
