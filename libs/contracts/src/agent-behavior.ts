import { Type } from 'typebox';

/** What agents do with the pages that they fetch; an agent can do several things. */
export const AGENT_BEHAVIORS = [
  'search',
  'training',
  'user_fetch',
  'actions',
  'link_preview',
  'advertising',
  'monitoring',
] as const;

export type AgentBehavior = (typeof AGENT_BEHAVIORS)[number];

export const agentBehaviors = (description: string) =>
  Type.Optional(
    Type.Array(Type.Unsafe<AgentBehavior>({ type: 'string', enum: [...AGENT_BEHAVIORS] }), {
      uniqueItems: true,
      maxItems: AGENT_BEHAVIORS.length,
      description,
    }),
  );

/** What people read, next to an agent's type. */
export const AGENT_BEHAVIOR_NAMES: Record<AgentBehavior, string> = {
  search: 'search index',
  training: 'model training',
  user_fetch: 'fetches for a user',
  actions: 'acts for a user',
  link_preview: 'link previews',
  advertising: 'advertising',
  monitoring: 'monitoring',
};
