/** Agent types, in the order that the public API lists them. Case-sensitive. */
export const AGENT_TYPES = [
  'AI Agent',
  'AI Assistant',
  'AI Coding Agent',
  'AI Data Provider',
  'AI Data Scraper',
  'AI Search Crawler',
  'Archiver',
  'Developer Helper',
  'Fetcher',
  'Automated Agent',
  'Intelligence Gatherer',
  'Scraper',
  'SEO Crawler',
  'Search Engine Crawler',
  'Security Scanner',
  'Undocumented AI Agent',
  'Uncategorized',
] as const;

export type AgentType = (typeof AGENT_TYPES)[number];

/**
 * Types of agents that fetch pages at a person's request, such as assistants, link previews and feed readers. According
 * to their operators, robots.txt doesn't apply to them because RFC 9309 addresses automatic clients.
 */
export const USER_TRIGGERED_TYPES: ReadonlySet<string> = new Set<AgentType>([
  'AI Agent',
  'AI Assistant',
  'AI Coding Agent',
  'Fetcher',
]);

export const isUserTriggered = (type: string | null): boolean => type !== null && USER_TRIGGERED_TYPES.has(type);

/** Former type names that clients may still send. */
export const RENAMED_AGENT_TYPES = { 'Headless Agent': 'Automated Agent' } as const satisfies Record<string, AgentType>;

/** Resolves a current or former type name. Returns null if the name is unknown. */
export function findAgentType(name: string): AgentType | null {
  const renamed: Partial<Record<string, AgentType>> = RENAMED_AGENT_TYPES;
  return AGENT_TYPES.find((type) => type === name) ?? (Object.hasOwn(renamed, name) ? renamed[name]! : null);
}
