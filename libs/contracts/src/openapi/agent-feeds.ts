import {
  AgentFeedChangeSchema,
  AgentFeedSchema,
  AgentFeedsSchema,
  FEED_AGENT_STATES,
  FeedAgentsSchema,
  FeedDecisionResultSchema,
  FeedDecisionSchema,
  MAX_AGENT_FEEDS,
  NewAgentFeedSchema,
  ProposalVisitsSchema,
} from '../agent-feed.schema.js';
import { isUuid } from '../uuid.js';
import { operation } from './operation.js';
import { BODY, idOf, LIMIT, one, oneOf, textThat, withDefault } from './parameters.js';

const FEED = idOf('feed');
const common = { access: 'administrator', tag: 'Agent feeds' } as const;

export const listAgentFeeds = operation({
  ...common,
  method: 'get',
  path: '/api/agent-feeds',
  id: 'listAgentFeeds',
  summary: 'List the feeds that agents come from',
  answer: AgentFeedsSchema,
  problems: [504],
});

export const addAgentFeed = operation({
  ...common,
  method: 'post',
  path: '/api/agent-feeds',
  id: 'addAgentFeed',
  summary: `Add a feed: an address or a file; an instance can have ${MAX_AGENT_FEEDS}`,
  description: 'It is read in the background. What it brings is proposed, and changes nothing until it is accepted.',
  body: NewAgentFeedSchema,
  status: 201,
  answer: AgentFeedSchema,
  problems: [409, ...BODY, 504],
});

export const changeAgentFeed = operation({
  ...common,
  method: 'patch',
  path: '/api/agent-feeds/{feedId}',
  id: 'changeAgentFeed',
  summary: 'Rename a feed, accept all that it brings from now on, or send its file anew',
  params: { feedId: FEED },
  body: AgentFeedChangeSchema,
  answer: AgentFeedSchema,
  problems: [404, 409, ...BODY, 504],
});

export const refreshAgentFeed = operation({
  ...common,
  method: 'post',
  path: '/api/agent-feeds/{feedId}/refresh',
  id: 'refreshAgentFeed',
  summary: 'Read a feed again, in the background',
  params: { feedId: FEED },
  answer: AgentFeedSchema,
  problems: [404, ...BODY, 504],
});

export const removeAgentFeed = operation({
  ...common,
  method: 'delete',
  path: '/api/agent-feeds/{feedId}',
  id: 'removeAgentFeed',
  summary: 'Remove a feed with its proposals; agents that were accepted stay, unless they are to go with it',
  params: { feedId: FEED },
  query: { agents: withDefault(one('What becomes of agents that were accepted', oneOf(['keep', 'remove'])), 'keep') },
  status: 204,
  problems: [404, 422, 504],
});

export const listFeedAgents = operation({
  ...common,
  method: 'get',
  path: '/api/agent-proposals',
  id: 'listFeedAgents',
  summary: 'List what feeds propose, or what became of their other agents',
  query: {
    feed_id: one(
      'Only those of this feed',
      textThat('must be the id of a feed', (text) => (isUuid(text) ? text : null)),
    ),
    state: withDefault(one('What became of them', oneOf(FEED_AGENT_STATES)), 'proposed'),
    limit: LIMIT,
  },
  answer: FeedAgentsSchema,
  problems: [422, 504],
});

export const acceptFeedAgents = operation({
  ...common,
  method: 'post',
  path: '/api/agent-proposals/accept',
  id: 'acceptFeedAgents',
  summary: 'Accept proposed agents of a feed, some or all; every process knows them within 2 s',
  body: FeedDecisionSchema,
  answer: FeedDecisionResultSchema,
  problems: [404, ...BODY, 504],
});

export const dismissFeedAgents = operation({
  ...common,
  method: 'post',
  path: '/api/agent-proposals/dismiss',
  id: 'dismissFeedAgents',
  summary: 'Dismiss proposed agents of a feed, some or all; they are not proposed again',
  body: FeedDecisionSchema,
  answer: FeedDecisionResultSchema,
  problems: [404, ...BODY, 504],
});

export const countProposalVisits = operation({
  ...common,
  method: 'get',
  path: '/api/agent-proposals/visits',
  id: 'countProposalVisits',
  summary: 'How many visits of unknown visitors in the last 7 days the proposed agents would match',
  answer: ProposalVisitsSchema,
});

/** Those that the catalog service answers; the console passes them on. */
export const FEED_OPERATIONS = {
  list: listAgentFeeds,
  add: addAgentFeed,
  change: changeAgentFeed,
  refresh: refreshAgentFeed,
  remove: removeAgentFeed,
  listAgents: listFeedAgents,
  accept: acceptFeedAgents,
  dismiss: dismissFeedAgents,
};

/** Feeds of agents, and what they propose. */
export const AGENT_FEED_OPERATIONS = [...Object.values(FEED_OPERATIONS), countProposalVisits];
