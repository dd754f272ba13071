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

/** Names that types had before, and clients still send. */
export const RENAMED_AGENT_TYPES = { 'Headless Agent': 'Automated Agent' } as const satisfies Record<string, AgentType>;

/** The type of this name, or of one that it had before; `null` for any other. Matched exactly. */
export function agentTypeNamed(name: string): AgentType | null {
  const renamed: Partial<Record<string, AgentType>> = RENAMED_AGENT_TYPES;
  return AGENT_TYPES.find((type) => type === name) ?? (Object.hasOwn(renamed, name) ? renamed[name]! : null);
}
