import type { SeenAgent } from '../api/catalog-queries.js';

type Origin = Pick<SeenAgent, 'origin' | 'is_edited'> & Partial<Pick<SeenAgent, 'feed_name' | 'is_gone'>>;

/** Returns the origin of an agent or assistant in words, such as "release, changed here". */
export function originOf({ origin, is_edited: isEdited, feed_name: feed, is_gone: isGone }: Origin): string {
  if (origin === 'own') return 'added here';
  const from = origin === 'feed' ? `feed ${feed}${isGone ? ', gone from it' : ''}` : 'release';
  return isEdited ? `${from}, changed here` : from;
}
