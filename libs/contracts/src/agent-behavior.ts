import { AGENT_BEHAVIORS, type AgentBehavior } from '#libs/agents/vocabulary';
import { Type } from 'typebox';

export { AGENT_BEHAVIOR_NAMES, AGENT_BEHAVIORS, type AgentBehavior } from '#libs/agents/vocabulary';

export const agentBehaviors = (description: string) =>
  Type.Optional(
    Type.Array(Type.Unsafe<AgentBehavior>({ type: 'string', enum: [...AGENT_BEHAVIORS] }), {
      uniqueItems: true,
      maxItems: AGENT_BEHAVIORS.length,
      description,
    }),
  );
