import type { FeedAgentState } from '../../../api/feed-queries.js';

/** What the page shows, as its address says. */
export interface FeedsSearch {
  /** Id of the feed whose agents are listed; all feeds' unless given. */
  feed?: string;
  /** Agents that are listed; the proposed ones unless given. */
  state?: FeedAgentState;
  /** Whether a feed is being added. */
  add?: true;
}

/** What became of a feed's agents, as the page calls it. */
export const STATES: Record<FeedAgentState, string> = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
  known: 'Known already',
  refused: 'Refused',
};

/** Reads an address; what does not fit is left out. */
export function readFeedsSearch({ feed, state, add }: Record<string, unknown>): FeedsSearch {
  return {
    ...(typeof feed === 'string' && feed !== '' && { feed }),
    ...(typeof state === 'string' && Object.hasOwn(STATES, state) && { state: state as FeedAgentState }),
    ...(add === true && { add }),
  };
}
