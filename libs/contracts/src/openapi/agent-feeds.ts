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
  summary: `Add a feed from a URL or a file; up to ${MAX_AGENT_FEEDS} per instance`,
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
  summary: 'Update a feed: its name, whether new agents are accepted automatically, or its file',
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
  summary: 'Remove a feed with its proposals; accepted agents stay unless you ask to remove them',
  params: { feedId: FEED },
  query: { agents: withDefault(one('What to do with accepted agents', oneOf(['keep', 'remove'])), 'keep') },
  status: 204,
  problems: [404, 422, 504],
});

export const listFeedAgents = operation({
  ...common,
  method: 'get',
  path: '/api/agent-proposals',
  id: 'listFeedAgents',
  summary: 'List proposed agents, or those already decided on',
  query: {
    feed_id: one(
      'Feed ID',
      textThat('must be the ID of a feed', (text) => (isUuid(text) ? text : null)),
    ),
    state: withDefault(one('State of the agents', oneOf(FEED_AGENT_STATES)), 'proposed'),
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
  summary: 'Accept some or all proposed agents of a feed; takes effect within 2 s',
  body: FeedDecisionSchema,
  answer: FeedDecisionResultSchema,
  problems: [404, ...BODY, 504],
});

export const dismissFeedAgents = operation({
  ...common,
  method: 'post',
  path: '/api/agent-proposals/dismiss',
  id: 'dismissFeedAgents',
  summary: 'Dismiss some or all proposed agents of a feed; they are not proposed again',
  body: FeedDecisionSchema,
  answer: FeedDecisionResultSchema,
  problems: [404, ...BODY, 504],
});

export const countProposalVisits = operation({
  ...common,
  method: 'get',
  path: '/api/agent-proposals/visits',
  id: 'countProposalVisits',
  summary: 'Count the visits of unknown visitors in the last 7 days that proposed agents would match',
  answer: ProposalVisitsSchema,
});

/** Served by the catalog service. The console forwards them. */
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
