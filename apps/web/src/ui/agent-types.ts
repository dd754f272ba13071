import type { operations } from '../api/schema.js';

type AgentType = NonNullable<NonNullable<operations['listVisits']['parameters']['query']>['type']>[number];

/** As an object, so that the compiler names a type that is missing. */
const TYPES: Record<AgentType, true> = {
  'AI Agent': true,
  'AI Assistant': true,
  'AI Coding Agent': true,
  'AI Data Provider': true,
  'AI Data Scraper': true,
  'AI Search Crawler': true,
  Archiver: true,
  'Automated Agent': true,
  'Developer Helper': true,
  Fetcher: true,
  'Intelligence Gatherer': true,
  'SEO Crawler': true,
  Scraper: true,
  'Search Engine Crawler': true,
  'Security Scanner': true,
  Uncategorized: true,
  'Undocumented AI Agent': true,
};

export const AGENT_TYPES = Object.keys(TYPES);
