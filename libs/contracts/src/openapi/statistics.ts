import { Type } from 'typebox';
import { AGENT_TYPES } from '../agent-type.js';
import {
  HistogramSchema,
  MAX_DAYS_OF_RANGE,
  MAX_SAMPLED_VISITS,
  OverviewSchema,
  ProjectSummariesSchema,
  VerificationOverviewSchema,
  VisitingAgentSchema,
  VisitingAgentsSchema,
} from '../statistics.schema.js';
import type { Operation } from './operation.js';
import { CURSOR, LIMIT, query, several, TIMELINE_FILTERS, uuid } from './parameters.js';

const TAG = 'Statistics';
const PROJECT = uuid('id', 'The project');
const RANGE = [
  query('from', 'Not before this time, ISO 8601; default 24 hours before `to`'),
  query('to', `Before this time, ISO 8601, at most ${MAX_DAYS_OF_RANGE} days after \`from\`; default now`),
];

/** What the dashboard shows of visits. */
export const STATISTICS_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/project-summaries',
    id: 'listProjectSummaries',
    access: 'authenticated',
    tag: TAG,
    summary: 'The last 24 hours of every project that the credential reaches',
    status: 200,
    answer: ProjectSummariesSchema,
    problems: [504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/overview',
    id: 'getOverview',
    access: 'viewer',
    tag: TAG,
    summary: 'Visits of a range: totals, over time, and the most frequent of each kind',
    parameters: [PROJECT, ...RANGE],
    status: 200,
    answer: OverviewSchema,
    problems: [404, 422, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/agents',
    id: 'listVisitingAgents',
    access: 'viewer',
    tag: TAG,
    summary: 'The agents that visited in a range',
    parameters: [
      PROJECT,
      ...RANGE,
      query('search', 'Part of the token or the operator'),
      several('type', 'Type of the agent', { type: 'string', enum: [...AGENT_TYPES] }),
      several('operator', 'Company behind the agent'),
      query('sort', 'By most visits, last seen or token', {
        type: 'string',
        enum: ['visits', 'last_seen', 'token'],
        default: 'visits',
      }),
      LIMIT,
      CURSOR,
    ],
    status: 200,
    answer: VisitingAgentsSchema,
    problems: [404, 422, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/agents/{agentId}',
    id: 'getVisitingAgent',
    access: 'viewer',
    tag: TAG,
    summary: 'What one agent did in a range',
    description: `404 for an agent that neither the catalog nor the range knows. Of its newest ${MAX_SAMPLED_VISITS} visits: pages, statuses, addresses, methods.`,
    parameters: [PROJECT, uuid('agentId', 'The agent'), ...RANGE],
    status: 200,
    answer: VisitingAgentSchema,
    problems: [404, 422, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/verification',
    id: 'getVerification',
    access: 'viewer',
    tag: TAG,
    summary: 'Results of verification over time, and who failed it',
    parameters: [PROJECT, ...RANGE],
    status: 200,
    answer: VerificationOverviewSchema,
    problems: [404, 422, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/histogram',
    id: 'getHistogram',
    access: 'viewer',
    tag: TAG,
    summary: 'Visits of the last 60 minutes, by minute',
    parameters: [PROJECT],
    status: 200,
    answer: HistogramSchema,
    problems: [404, 504],
  },
];

/** The whole timeline at once. */
export const EXPORT_OPERATION: Operation = {
  method: 'get',
  path: '/api/projects/{id}/visits/export',
  id: 'exportVisits',
  access: 'viewer',
  tag: 'Visits',
  summary: 'Download visits, newest first',
  description:
    'Streamed, however many they are. `ndjson` has an enriched visit a line. `csv` (RFC 4180, with a header) has its ' +
    "most important fields; a text that a spreadsheet would take for a formula gets a `'` in front.",
  parameters: [
    PROJECT,
    query('format', 'What the file is', { type: 'string', enum: ['csv', 'ndjson'], default: 'csv' }),
    ...TIMELINE_FILTERS,
  ],
  status: 200,
  answer: Type.String(),
  mediaType: 'text/csv',
  otherMediaType: 'application/x-ndjson',
  headers: { 'Content-Disposition': 'attachment, with a name for the file' },
  problems: [404, 422, 429],
};
