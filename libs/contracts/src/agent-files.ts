interface AgentFile {
  /** Path. If it ends with `*`, the file stands for all paths that start with the part before it. */
  path: string;
  purpose: string;
}

/** Files at fixed paths that are meant for crawlers and agents, by purpose. Extend the list as conventions appear. */
export const AGENT_FILES: readonly AgentFile[] = [
  // RFC 9309
  { path: '/robots.txt', purpose: 'Crawling rules' },
  // sitemaps.org, and the names that WordPress and static site generators use
  { path: '/sitemap.xml', purpose: 'Sitemap' },
  { path: '/sitemap.txt', purpose: 'Sitemap' },
  { path: '/sitemap_index.xml', purpose: 'Sitemap' },
  { path: '/wp-sitemap.xml', purpose: 'Sitemap' },
  { path: '/sitemap-*', purpose: 'Sitemap' },
  // llmstxt.org
  { path: '/llms.txt', purpose: 'Content for models' },
  { path: '/llms-full.txt', purpose: 'Content for models' },
  // spawning.ai/ai-txt
  { path: '/ai.txt', purpose: 'Usage rules' },
  // w3.org/community/reports/tdmrep
  { path: '/.well-known/tdmrep.json', purpose: 'Usage rules' },
  // RFC 9116
  { path: '/.well-known/security.txt', purpose: 'Security contact' },
  { path: '/security.txt', purpose: 'Security contact' },
  // MCP server cards: modelcontextprotocol issue 1649 and pull request 2127
  { path: '/.well-known/mcp.json', purpose: 'MCP server' },
  { path: '/.well-known/mcp', purpose: 'MCP server' },
  { path: '/.well-known/mcp/*', purpose: 'MCP server' },
  { path: '/mcp/server-card', purpose: 'MCP server' },
  // a2a-protocol.org, topic "Agent discovery". `agent.json` is the name before version 0.3.
  { path: '/.well-known/agent-card.json', purpose: 'A2A agent' },
  { path: '/.well-known/agent.json', purpose: 'A2A agent' },
  // ucp.dev
  { path: '/.well-known/ucp', purpose: 'UCP shop' },
  // agentic-commerce-protocol, rfcs/rfc.discovery.md (proposal)
  { path: '/.well-known/acp.json', purpose: 'ACP shop' },
  // github.com/cloudflare/agent-skills-discovery-rfc. `skills` is the name before version 0.2.
  { path: '/.well-known/agent-skills/*', purpose: 'Agent skills' },
  { path: '/.well-known/skills/*', purpose: 'Agent skills' },
  // RFC 9727
  { path: '/.well-known/api-catalog', purpose: 'APIs' },
  // Plugins of ChatGPT, until 2024
  { path: '/.well-known/ai-plugin.json', purpose: 'APIs' },
  // draft-meunier-http-message-signatures-directory
  { path: '/.well-known/http-message-signatures-directory', purpose: 'Signature keys' },
  // RFC 9728, RFC 8414 and OpenID Connect Discovery, in the order in which MCP clients try them. The issuer's or
  // resource's path can follow.
  { path: '/.well-known/oauth-protected-resource*', purpose: 'Sign-in' },
  { path: '/.well-known/oauth-authorization-server*', purpose: 'Sign-in' },
  { path: '/.well-known/openid-configuration*', purpose: 'Sign-in' },
];

const EXACT_PATHS: ReadonlySet<string> = new Set(AGENT_FILES.map(({ path }) => path));
const PREFIXES = AGENT_FILES.filter(({ path }) => path.endsWith('*')).map(({ path }) => path.slice(0, -1));

/**
 * Returns the path of the file in {@link AGENT_FILES} that a path leads to, or null if there is none.
 *
 * @param path Path without the query string.
 */
export function findAgentFile(path: string): string | null {
  if (EXACT_PATHS.has(path)) return path;
  const prefix = PREFIXES.find((start) => path.startsWith(start));
  return prefix === undefined ? null : `${prefix}*`;
}
