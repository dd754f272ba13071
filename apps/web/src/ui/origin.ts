import type { SeenAgent } from '../api/catalog-queries.js';

type Origin = Pick<SeenAgent, 'origin' | 'is_edited'> & Partial<Pick<SeenAgent, 'feed_name' | 'is_gone'>>;

/** Describes an agent's or assistant's origin, such as "release, edited here". */
export function describeOrigin({ origin, is_edited: isEdited, feed_name: feed, is_gone: isGone }: Origin): string {
  if (origin === 'own') return 'added here';
  const source = origin === 'feed' ? `feed ${feed}${isGone ? ', removed from it' : ''}` : 'release';
  return isEdited ? `${source}, edited here` : source;
}
