/** Agent types in the order of the public API. Matching is case-sensitive. */
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
 * Types of agents that fetch at a person's request: assistants that open a page to answer, link previews, feed readers.
 * Operators state that robots.txt, which addresses automatic clients (RFC 9309), does not apply to them.
 */
export const USER_TRIGGERED_TYPES: ReadonlySet<string> = new Set<AgentType>([
  'AI Agent',
  'AI Assistant',
  'AI Coding Agent',
  'Fetcher',
]);

/** Returns whether agents of a type fetch on behalf of people. */
export const isUserTriggered = (type: string | null): boolean => type !== null && USER_TRIGGERED_TYPES.has(type);

/** Old names of types that clients still send. */
export const RENAMED_AGENT_TYPES = { 'Headless Agent': 'Automated Agent' } as const satisfies Record<string, AgentType>;

/** Returns the type with this current or old name, or null. */
export function agentTypeNamed(name: string): AgentType | null {
  const renamed: Partial<Record<string, AgentType>> = RENAMED_AGENT_TYPES;
  return AGENT_TYPES.find((type) => type === name) ?? (Object.hasOwn(renamed, name) ? renamed[name]! : null);
}
