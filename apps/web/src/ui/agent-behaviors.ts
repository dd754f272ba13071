import type { Agent } from '../api/catalog-queries.js';

export type AgentBehavior = NonNullable<Agent['behaviors']>[number];

/** What people read, in the order of the interface. */
export const BEHAVIOR_NAMES: Record<AgentBehavior, string> = {
  search: 'search index',
  training: 'model training',
  user_fetch: 'fetches for a user',
  actions: 'acts for a user',
  link_preview: 'link previews',
  advertising: 'advertising',
  monitoring: 'monitoring',
};

export const AGENT_BEHAVIORS = Object.keys(BEHAVIOR_NAMES) as AgentBehavior[];
