/** The agent types of the interface, in its order; matched exactly. */
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
 * Types of agents that fetch when a person asks for it: assistants that open a page to answer, link previews, feed readers.
 * Their operators say that robots.txt, which is about automatic clients (RFC 9309), does not bind them.
 */
export const USER_TRIGGERED_TYPES: ReadonlySet<string> = new Set<AgentType>([
  'AI Agent',
  'AI Assistant',
  'AI Coding Agent',
  'Fetcher',
]);

/** Whether agents of a type fetch on behalf of people. */
export const isUserTriggered = (type: string | null): boolean => type !== null && USER_TRIGGERED_TYPES.has(type);

/** Names that types had before, and clients still send. */
export const RENAMED_AGENT_TYPES = { 'Headless Agent': 'Automated Agent' } as const satisfies Record<string, AgentType>;

/** The type of this name, or of one that it had before; `null` for any other. Matched exactly. */
export function agentTypeNamed(name: string): AgentType | null {
  const renamed: Partial<Record<string, AgentType>> = RENAMED_AGENT_TYPES;
  return AGENT_TYPES.find((type) => type === name) ?? (Object.hasOwn(renamed, name) ? renamed[name]! : null);
}
