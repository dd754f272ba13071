import { METHODS, methodsOfAgent } from '#libs/agents/vocabulary';
import type { Agent, SeenAgent } from '../../api/catalog-queries.js';

/** Returns how an agent can be verified, in words. */
export const methodsOf = ({ verification }: Pick<Agent, 'verification'>): string[] =>
  methodsOfAgent(verification).map((method) => METHODS[method]);

/** Where an agent came from, in words. */
export function originOf(agent: Pick<SeenAgent, 'origin' | 'is_edited' | 'feed_name' | 'is_gone'>): string {
  if (agent.origin === 'own') return 'added here';
  const from = agent.origin === 'feed' ? `feed ${agent.feed_name}${agent.is_gone ? ', gone from it' : ''}` : 'release';
  return agent.is_edited ? `${from}, changed here` : from;
}
