import { Type } from 'typebox';
import {
  HistogramSchema,
  MAX_COUNTED_VISITS,
  MAX_SAMPLED_VISITS,
  OverviewSchema,
  ProjectSummariesSchema,
  ReferralsSchema,
  SEEN_DAYS,
  SeenAgentsSchema,
  VerificationOverviewSchema,
  VisitCountSchema,
  VisitingAgentSchema,
  VisitingAgentsSchema,
} from '../statistics.schema.js';
import { NewsSchema } from '../news.schema.js';
import { visitingAgentCursor } from '../cursors.js';
import { operation } from './operation.js';
import {
  AGENT,
  AGENT_TYPE,
  cursor,
  LIMIT,
  one,
  oneOf,
  PROJECT,
  RANGE,
  several,
  textThat,
  TIME,
  withDefault,
} from './parameters.js';
import { TIMELINE_FILTERS, UNTIMED_FILTERS } from './timeline-filters.js';

const TAG = 'Statistics';

/** A range, and the one that it is compared with. */
const COMPARED_RANGE = {
  ...RANGE,
  compare_from: one(
    'Compare with as long a time from this one on, ISO 8601, or with `none`: then what it is compared with is empty; default: with the time right before `from`',
    textThat(`${TIME.fault}, or none`, (text) => (text === 'none' ? text : TIME.read(text))),
  ),
};

export const listProjectSummaries = operation({
  method: 'get',
  path: '/api/project-summaries',
  id: 'listProjectSummaries',
  access: 'authenticated',
  tag: TAG,
  summary: 'Get the last 24 hours of every project that the credential reaches',
  answer: ProjectSummariesSchema,
  problems: [504],
});

export const getOverview = operation({
  method: 'get',
  path: '/api/projects/{id}/overview',
  id: 'getOverview',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the overview of a range: totals, visits over time and top lists, with a comparison',
  description:
    'Without filters, and for filters by agent, type, operator and result, counts answer, which are exact. Other ' +
    'filters, and the pages and statuses under any filter, are read from the stored visits: exact where these are not ' +
    'too many, else estimated. `sample` says so.',
  params: { id: PROJECT },
  query: {
    ...COMPARED_RANGE,
    ...UNTIMED_FILTERS,
    visitors: withDefault(
      one('Whose visits `top_pages` and `top_statuses` count: those of known agents, or all', oneOf(['agents', 'all'])),
      'all',
    ),
  },
  answer: OverviewSchema,
  problems: [404, 422, 504],
});

export const getNews = operation({
  method: 'get',
  path: '/api/projects/{id}/news',
  id: 'getNews',
  access: 'viewer',
  tag: TAG,
  summary: 'List what changed in a range, most important first',
  description: `What is too little to matter is left out. Errors and spoofing are of the newest ${MAX_SAMPLED_VISITS} such visits, everything else of all.`,
  params: { id: PROJECT },
  query: COMPARED_RANGE,
  answer: NewsSchema,
  problems: [404, 422, 504],
});

const AGENT_SORTS = ['visits', 'last_seen', 'token', 'type', 'operator', 'verified', 'spoofed'] as const;

export const listVisitingAgents = operation({
  method: 'get',
  path: '/api/projects/{id}/agents',
  id: 'listVisitingAgents',
  access: 'viewer',
  tag: TAG,
  summary: 'List agents that visited in a range',
  params: { id: PROJECT },
  query: {
    ...COMPARED_RANGE,
    search: one('Part of the token or the operator'),
    type: several('Type of the agent', AGENT_TYPE),
    operator: several('Company behind the agent'),
    sort: withDefault(one('What they are sorted by', oneOf(AGENT_SORTS)), 'visits'),
    direction: one(
      'Smallest or largest first; by default names from A to Z, numbers and times from the largest',
      oneOf(['ascending', 'descending']),
    ),
    limit: LIMIT,
    cursor: cursor(visitingAgentCursor.read),
  },
  answer: VisitingAgentsSchema,
  problems: [404, 422, 504],
});

export const getVisitingAgent = operation({
  method: 'get',
  path: '/api/projects/{id}/agents/{agentId}',
  id: 'getVisitingAgent',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the activity of one agent in a range',
  description: `404 for an agent that neither the catalog nor the range knows. Of its newest ${MAX_SAMPLED_VISITS} visits: pages, statuses, addresses, methods.`,
  params: { id: PROJECT, agentId: AGENT },
  query: COMPARED_RANGE,
  answer: VisitingAgentSchema,
  problems: [404, 422, 504],
});

export const getVerification = operation({
  method: 'get',
  path: '/api/projects/{id}/verification',
  id: 'getVerification',
  access: 'viewer',
  tag: TAG,
  summary: 'Get verification results over time and the agents that failed',
  params: { id: PROJECT },
  query: RANGE,
  answer: VerificationOverviewSchema,
  problems: [404, 422, 504],
});

export const getReferrals = operation({
  method: 'get',
  path: '/api/projects/{id}/referrals',
  id: 'getReferrals',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the people whom AI assistants referred, beside the pages that their operators fetched',
  description:
    'A referral is a request of an unknown visitor for a page whose `utm_source`, `source` or `ref`, or else whose ' +
    'Referer, names an assistant of the catalog. It is counted also where visits of people are not stored.',
  params: { id: PROJECT },
  query: COMPARED_RANGE,
  answer: ReferralsSchema,
  problems: [404, 422, 504],
});

export const getHistogram = operation({
  method: 'get',
  path: '/api/projects/{id}/histogram',
  id: 'getHistogram',
  access: 'viewer',
  tag: TAG,
  summary: 'Get visits of the last 60 minutes by minute',
  params: { id: PROJECT },
  query: UNTIMED_FILTERS,
  answer: HistogramSchema,
  problems: [404, 422, 504],
});

export const listSeenAgents = operation({
  method: 'get',
  path: '/api/seen-agents',
  id: 'listSeenAgents',
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'List catalog agents with their visit counts',
  description: `Counted over the last ${SEEN_DAYS} days, in the projects that the credential reaches.`,
  answer: SeenAgentsSchema,
  problems: [504],
});

/** What the dashboard shows of visits. */
export const STATISTICS_OPERATIONS = [
  listProjectSummaries,
  getOverview,
  getNews,
  listVisitingAgents,
  getVisitingAgent,
  getVerification,
  getReferrals,
  getHistogram,
  listSeenAgents,
];

export const countVisits = operation({
  method: 'get',
  path: '/api/projects/{id}/visits/count',
  id: 'countVisits',
  access: 'viewer',
  tag: 'Visits',
  summary: 'Count visits',
  description: `Exact up to ${MAX_COUNTED_VISITS}; more are estimated and rounded, so that the answer never takes long.`,
  params: { id: PROJECT },
  query: TIMELINE_FILTERS,
  answer: VisitCountSchema,
  problems: [404, 422],
});

/** The whole timeline at once. */
export const exportVisits = operation({
  method: 'get',
  path: '/api/projects/{id}/visits/export',
  id: 'exportVisits',
  limitsReaders: true,
  audit: { change: 'done', subject: 'visits', id: 'id' },
  access: 'viewer',
  tag: 'Visits',
  summary: 'Download visits, newest first',
  description:
    'Streamed, however many they are. `ndjson` has a visit of the timeline a line. `csv` (RFC 4180, with a header) has its ' +
    "most important fields; what a spreadsheet would take for a formula gets a `'` in front, also behind a semicolon, tab " +
    'or line break.',
  params: { id: PROJECT },
  query: { format: withDefault(one('What the file is', oneOf(['csv', 'ndjson'])), 'csv'), ...TIMELINE_FILTERS },
  answer: Type.String(),
  mediaType: 'text/csv',
  otherMediaType: 'application/x-ndjson',
  answerHeaders: { 'Content-Disposition': 'attachment, with a name for the file that says project and range' },
  problems: [404, 422, 429],
});
