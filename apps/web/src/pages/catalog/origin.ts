import type { SeenAgent } from '../../api/catalog-queries.js';

/** Where an agent came from, in words. */
export function originOf(agent: Pick<SeenAgent, 'origin' | 'is_edited' | 'feed_name' | 'is_gone'>): string {
  if (agent.origin === 'own') return 'added here';
  const from = agent.origin === 'feed' ? `feed ${agent.feed_name}${agent.is_gone ? ', gone from it' : ''}` : 'release';
  return agent.is_edited ? `${from}, changed here` : from;
}
