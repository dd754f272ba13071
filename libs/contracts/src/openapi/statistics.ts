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
  UNVERIFIED_RESULTS,
  VerificationOverviewSchema,
  VisitCountSchema,
  VisitingAgentSchema,
  VisitingAgentsSchema,
} from '../statistics.schema.js';
import { LOAD_GROUPINGS, LoadReportSchema, LoadSeriesSchema, MAX_LOAD_ROWS } from '../load.schema.js';
import { NewsSchema } from '../news.schema.js';
import { visitingAgentCursor } from '../cursors.js';
import { operation } from './operation.js';
import {
  AGENT,
  AGENT_TYPE,
  cursor,
  LIMIT,
  singleParameter,
  oneOf,
  PROJECT,
  RANGE,
  repeatableParameter,
  parsedText,
  TIME,
  withDefault,
} from './parameters.js';
import { TIMELINE_FILTERS, UNTIMED_FILTERS } from './timeline-filters.js';

const TAG = 'Statistics';

/** Time range, and the start of the range to compare it with. */
const COMPARED_RANGE = {
  ...RANGE,
  compare_from: singleParameter(
    'Start of the comparison range (ISO 8601), or `none` to omit comparison values. Both ranges have the same length. Default: the range immediately before `from`.',
    parsedText(`${TIME.fault}, or none`, (text) => (text === 'none' ? text : TIME.read(text))),
  ),
};

export const listProjectSummaries = operation({
  method: 'get',
  path: '/api/project-summaries',
  id: 'listProjectSummaries',
  access: 'authenticated',
  tag: TAG,
  summary: 'Get a summary of the last 24 hours for each project that the credential can access',
  answer: ProjectSummariesSchema,
  problems: [504],
});

/** Properties that the series of the overview can be broken down by. */
export const OVERVIEW_BREAKDOWNS = ['type', 'result', 'status', 'agent'] as const;
export type OverviewBreakdown = (typeof OVERVIEW_BREAKDOWNS)[number];

export const getOverview = operation({
  method: 'get',
  path: '/api/projects/{id}/overview',
  id: 'getOverview',
  access: 'viewer',
  tag: TAG,
  summary: 'Get an overview of a time range, with totals, visits over time, top lists and comparison values',
  description:
    'Counts are exact without filters, or if you filter only by agent, type, operator and result. All other filtered ' +
    'counts, including pages and statuses with any filter, are computed from stored visits. If there are too many ' +
    'visits, these counts are estimates. `sample` describes the sample they are based on.',
  params: { id: PROJECT },
  query: {
    ...COMPARED_RANGE,
    ...UNTIMED_FILTERS,
    visitors: withDefault(
      singleParameter(
        'Whether `top_pages` and `top_statuses` count only known agents or all visitors',
        oneOf(['agents', 'all']),
      ),
      'all',
    ),
    breakdown: withDefault(
      singleParameter(
        'Property to break the series down by. Breakdowns by status count the same visitors as `top_statuses`',
        oneOf(OVERVIEW_BREAKDOWNS),
      ),
      'type',
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
  summary: 'List noteworthy changes in a time range, most important first',
  description: `Insignificant changes are omitted. If PostgreSQL stores the visits, errors and spoofing are based on the ${MAX_SAMPLED_VISITS} most recent such visits. Everything else is based on all visits.`,
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
  summary: 'List the agents that visited in a time range',
  params: { id: PROJECT },
  query: {
    ...COMPARED_RANGE,
    search: singleParameter('Text to search for in the token and operator'),
    type: repeatableParameter('Agent type', AGENT_TYPE),
    operator: repeatableParameter('Company that operates the agent'),
    sort: withDefault(singleParameter('Sort field', oneOf(AGENT_SORTS)), 'visits'),
    direction: singleParameter(
      'Sort direction. Default: ascending for names, descending for numbers and times.',
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
  summary: "Get an agent's activity over a time range",
  description: `Returns 404 if the agent is not in the catalog and didn't visit in the time range. Pages, statuses, addresses and methods are based on the agent's most recent ${MAX_SAMPLED_VISITS} visits.`,
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
  summary: 'Get verification results over time, and where unverified visits came from',
  params: { id: PROJECT },
  query: {
    ...COMPARED_RANGE,
    result: withDefault(
      singleParameter('Verification result of the visits in `spoofs`', oneOf(UNVERIFIED_RESULTS)),
      'verification_failed',
    ),
  },
  answer: VerificationOverviewSchema,
  problems: [404, 422, 504],
});

export const getReferrals = operation({
  method: 'get',
  path: '/api/projects/{id}/referrals',
  id: 'getReferrals',
  access: 'viewer',
  tag: TAG,
  summary: 'Get visitors referred by AI assistants, and pages fetched by AI operators',
  description:
    'A referral is a page request by an unknown visitor that identifies a catalog assistant in `utm_source`, `source` or ' +
    '`ref`, or failing that, in the Referer. Referrals are counted even if visits by people are not stored.',
  params: { id: PROJECT },
  query: COMPARED_RANGE,
  answer: ReferralsSchema,
  problems: [404, 422, 504],
});

export const getLoad = operation({
  method: 'get',
  path: '/api/projects/{id}/load',
  id: 'getLoad',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the bytes, server time and request peaks that visits caused',
  description:
    `Includes all stored visits that match the filters: those by agents, including those that failed verification, and those by unknown visitors. Returns up to ${MAX_LOAD_ROWS} rows. ` +
    'If there are too many visits, the sums are estimates, and `sample` describes the sample they are based on.',
  params: { id: PROJECT },
  query: {
    ...RANGE,
    by: withDefault(
      singleParameter(
        "Property to break the load down by. `pattern` breaks it down by the project's `path_patterns`.",
        oneOf(LOAD_GROUPINGS),
      ),
      'agent',
    ),
    ...UNTIMED_FILTERS,
  },
  answer: LoadReportSchema,
  problems: [404, 422, 504],
});

export const getLoadSeries = operation({
  method: 'get',
  path: '/api/projects/{id}/load-series',
  id: 'getLoadSeries',
  access: 'viewer',
  tag: TAG,
  summary: 'Get the bytes and server time that visits caused, over time',
  description:
    'Includes the same visits as `getLoad`. If there are too many, the sums are estimates, and `is_estimated` is true.',
  params: { id: PROJECT },
  query: { ...RANGE, ...UNTIMED_FILTERS },
  answer: LoadSeriesSchema,
  problems: [404, 422, 504],
});

export const getHistogram = operation({
  method: 'get',
  path: '/api/projects/{id}/histogram',
  id: 'getHistogram',
  access: 'viewer',
  tag: TAG,
  summary: 'Get visits per minute for the last 60 minutes',
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
  description: `Covers the last ${SEEN_DAYS} days, which start at midnight in each project's time zone, and the projects that the credential can access.`,
  answer: SeenAgentsSchema,
  problems: [504],
});

export const STATISTICS_OPERATIONS = [
  listProjectSummaries,
  getOverview,
  getNews,
  listVisitingAgents,
  getVisitingAgent,
  getVerification,
  getReferrals,
  getLoad,
  getLoadSeries,
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
  description: `Counts are exact up to ${MAX_COUNTED_VISITS}. Larger counts are estimated and rounded if exact counting would be slow.`,
  params: { id: PROJECT },
  query: TIMELINE_FILTERS,
  answer: VisitCountSchema,
  problems: [404, 422],
});

export const exportVisits = operation({
  method: 'get',
  path: '/api/projects/{id}/visits/export',
  id: 'exportVisits',
  limitsReaders: true,
  audit: { change: 'done', subject: 'visits', id: 'id', hides: ['address', 'not_address'] },
  access: 'viewer',
  tag: 'Visits',
  summary: 'Download visits, newest first',
  description:
    'Streams any number of visits. `ndjson` contains one timeline visit per line. `csv` (RFC 4180 with a header row) ' +
    'contains the most important fields. Text that a spreadsheet could interpret as a formula is prefixed with ' +
    "`'`, including after a semicolon, tab or line break.",
  params: { id: PROJECT },
  query: { format: withDefault(singleParameter('File format', oneOf(['csv', 'ndjson'])), 'csv'), ...TIMELINE_FILTERS },
  answer: Type.String(),
  mediaType: 'text/csv',
  otherMediaType: 'application/x-ndjson',
  answerHeaders: { 'Content-Disposition': '`attachment`, with a file name that contains the project and range' },
  problems: [404, 422, 429],
});
