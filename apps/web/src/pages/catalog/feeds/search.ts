import type { FeedAgentState } from '../../../api/feed-queries.js';

/** Feeds page state, as stored in the URL. */
export interface FeedsSearch {
  /** ID of the feed whose agents are listed. Default: all feeds. */
  feed?: string;
  /** Lists agents in this state. Default: `proposed`. */
  state?: FeedAgentState;
  /** True while a feed is being added. */
  add?: true;
}

export const STATE_LABELS: Record<FeedAgentState, string> = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
  known: 'Already known',
  refused: 'Rejected',
};

/** Parses URL search parameters, ignoring invalid ones. */
export function parseFeedsSearch({ feed, state, add }: Record<string, unknown>): FeedsSearch {
  return {
    ...(typeof feed === 'string' && feed !== '' && { feed }),
    ...(typeof state === 'string' && Object.hasOwn(STATE_LABELS, state) && { state: state as FeedAgentState }),
    ...(add === true && { add }),
  };
}
