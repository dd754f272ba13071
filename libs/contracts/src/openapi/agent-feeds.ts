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
import { BODY, idParameter, LIMIT, singleParameter, oneOf, parsedText, withDefault } from './parameters.js';

const FEED = idParameter('feed');
const common = { access: 'administrator', tag: 'Agent feeds' } as const;

const listAgentFeeds = operation({
  ...common,
  method: 'get',
  path: '/api/agent-feeds',
  id: 'listAgentFeeds',
  summary: 'List agent feeds',
  answer: AgentFeedsSchema,
  problems: [504],
});

export const addAgentFeed = operation({
  ...common,
  method: 'post',
  path: '/api/agent-feeds',
  id: 'addAgentFeed',
  limit: MAX_AGENT_FEEDS,
  summary: `Add a feed from a URL or file (up to ${MAX_AGENT_FEEDS} per instance)`,
  description: 'The feed is fetched in the background. Its agents are only proposals until they are accepted.',
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
  summary: "Update a feed's name or file, or whether its new agents are accepted automatically",
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
  summary: 'Refresh a feed in the background',
  params: { feedId: FEED },
  answer: AgentFeedSchema,
  problems: [404, ...BODY, 504],
});

export const removeAgentFeed = operation({
  ...common,
  method: 'delete',
  path: '/api/agent-feeds/{feedId}',
  id: 'removeAgentFeed',
  summary: 'Remove a feed and its proposals, and optionally the agents accepted from it',
  params: { feedId: FEED },
  query: {
    agents: withDefault(
      singleParameter('Whether to keep or remove accepted agents', oneOf(['keep', 'remove'])),
      'keep',
    ),
  },
  status: 204,
  problems: [404, 422, 504],
});

export const listFeedAgents = operation({
  ...common,
  method: 'get',
  path: '/api/agent-proposals',
  id: 'listFeedAgents',
  summary: 'List the agents in feeds (by default, only proposed agents)',
  query: {
    feed_id: singleParameter(
      'Feed ID',
      parsedText('must be a feed ID', (text) => (isUuid(text) ? text : null)),
    ),
    state: withDefault(singleParameter('Agent state', oneOf(FEED_AGENT_STATES)), 'proposed'),
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
  summary: 'Accept some or all agents proposed by a feed (takes effect within 2 seconds)',
  body: FeedDecisionSchema,
  answer: FeedDecisionResultSchema,
  problems: [404, ...BODY, 504],
});

export const dismissFeedAgents = operation({
  ...common,
  method: 'post',
  path: '/api/agent-proposals/dismiss',
  id: 'dismissFeedAgents',
  summary: 'Dismiss some or all agents proposed by a feed so that they are not proposed again',
  body: FeedDecisionSchema,
  answer: FeedDecisionResultSchema,
  problems: [404, ...BODY, 504],
});

export const countProposalVisits = operation({
  ...common,
  method: 'get',
  path: '/api/agent-proposals/visits',
  id: 'countProposalVisits',
  summary: 'Count visits by unknown visitors in the last 7 days that proposed agents would match',
  answer: ProposalVisitsSchema,
});

/** Operations that the console forwards to the catalog service. */
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

export const AGENT_FEED_OPERATIONS = [...Object.values(FEED_OPERATIONS), countProposalVisits];
