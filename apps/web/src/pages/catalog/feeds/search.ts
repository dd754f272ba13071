import type { FeedAgentState } from '../../../api/feed-queries.js';

/** State of the page, as stored in the URL. */
export interface FeedsSearch {
  /** ID of the feed whose agents are listed. Default: all feeds. */
  feed?: string;
  /** State of the listed agents. Default: `proposed`. */
  state?: FeedAgentState;
  /** True while a feed is being added. */
  add?: true;
}

export const STATES: Record<FeedAgentState, string> = {
  proposed: 'Proposed',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
  known: 'Known already',
  refused: 'Refused',
};

/** Parses URL search parameters. Invalid ones are ignored. */
export function readFeedsSearch({ feed, state, add }: Record<string, unknown>): FeedsSearch {
  return {
    ...(typeof feed === 'string' && feed !== '' && { feed }),
    ...(typeof state === 'string' && Object.hasOwn(STATES, state) && { state: state as FeedAgentState }),
    ...(add === true && { add }),
  };
}
