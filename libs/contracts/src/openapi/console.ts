import { Type } from 'typebox';
import { ApiKeyListSchema, MAX_API_KEYS, NewApiKeySchema, RevealedApiKeySchema } from '../api-key.schema.js';
import {
  AccessTokenListSchema,
  DeadLetterPageSchema,
  DeadLetterReplayResultSchema,
  DeadLetterReplaySchema,
  DeadLetterWithBodySchema,
  MAX_ACCESS_TOKENS,
  NewAccessTokenSchema,
  NewProjectSchema,
  ProjectChangeSchema,
  ProjectListSchema,
  ProjectSchema,
  RevealedAccessTokenSchema,
  VisitPageSchema,
} from '../console.schema.js';
import { TimelineVisitSchema } from '../client-network.schema.js';
import { VisitDeletionResultSchema, VisitDeletionSchema } from '../visit-deletion.schema.js';
import { ASSISTANT_OPERATIONS } from './assistants.js';
import { ALERT_CHANNEL_OPERATIONS } from './alert-channels.js';
import { ALERT_OPERATIONS } from './alerts.js';
import { NOTIFICATION_OPERATIONS } from './notifications.js';
import { AUDIT_OPERATIONS } from './audit.js';
import { AGENT_FEED_OPERATIONS } from './agent-feeds.js';
import { CATALOG_OPERATIONS } from './catalog.js';
import { SESSION_COOKIE } from '../account.schema.js';
import { ACCOUNT_OPERATIONS } from './accounts.js';
import { deadLetterCursor, timelineCursor } from '../cursors.js';
import { operation, type Interface } from './operation.js';
import { parsePosition } from '../visit-position.js';
import {
  BODY,
  cursor,
  idParameter,
  LIMIT,
  singleParameter,
  oneOf,
  PROJECT,
  parsedText,
  wholeNumber,
  withDefault,
} from './parameters.js';
import { TIMELINE_FILTERS, TIMELINE_ORDERS } from './timeline-filters.js';
import { OWN_ACCOUNT_OPERATIONS } from './own-account.js';
import { PROJECT_REPORT_OPERATIONS } from './project-report.js';
import { REPORT_OPERATIONS } from './reports.js';
import { POLICY_OPERATIONS } from './policy.js';
import { PROJECT_RULES_OPERATIONS } from './project-rules.js';
import { ROBOTS_VERSION_OPERATIONS } from './robots-versions.js';
import { SAVED_FILTER_OPERATIONS } from './saved-filters.js';
import { PASSKEY_OPERATIONS } from './passkeys.js';
import { SECOND_FACTOR_OPERATIONS } from './second-factors.js';
import { SHARING_OPERATIONS } from './sharing.js';
import { CHART_NOTE_OPERATIONS } from './chart-notes.js';
import { REIDENTIFICATION_OPERATIONS } from './reidentifications.js';
import { STATEMENT_OPERATIONS } from './statements.js';
import { MAIL_SERVER_OPERATIONS } from './mail-server.js';
import { SYSTEM_OPERATIONS } from './system.js';
import { UNLISTED_OPERATIONS } from './unlisted.js';
import { USER_OPERATIONS } from './users.js';
import { countVisits, exportVisits, STATISTICS_OPERATIONS } from './statistics.js';
import { COMPLIANCE_OPERATIONS } from './compliance.js';
import { CONDUCT_OPERATIONS } from './conduct.js';
import { PAYMENT_OPERATIONS } from './payments.js';
import { PERMISSION_OPERATIONS } from './permissions.js';
import { COVERAGE_OPERATIONS } from './coverage.js';
import { ONBOARDING_OPERATIONS } from './onboarding.js';
import { DEMO_OPERATIONS } from './demo.js';
import { DRAIN_OPERATIONS } from './drains.js';
import { JOURNEY_OPERATIONS } from './journeys.js';
import { TOOL_OPERATIONS } from './tools.js';

export const listProjects = operation({
  method: 'get',
  path: '/api/projects',
  id: 'listProjects',
  access: 'authenticated',
  tag: 'Projects',
  summary: 'List projects',
  answer: ProjectListSchema,
});

export const createProject = operation({
  method: 'post',
  path: '/api/projects',
  id: 'createProject',
  access: 'administrator',
  tag: 'Projects',
  summary: 'Create a project',
  body: NewProjectSchema,
  status: 201,
  answer: ProjectSchema,
  problems: BODY,
});

export const getProject = operation({
  method: 'get',
  path: '/api/projects/{id}',
  id: 'getProject',
  version: 'read',
  access: 'viewer',
  tag: 'Projects',
  summary: 'Get a project',
  params: { id: PROJECT },
  answer: ProjectSchema,
  problems: [404],
});

export const changeProject = operation({
  method: 'patch',
  path: '/api/projects/{id}',
  id: 'changeProject',
  version: 'change',
  access: 'member',
  tag: 'Projects',
  summary: "Update a project's settings",
  params: { id: PROJECT },
  body: ProjectChangeSchema,
  answer: ProjectSchema,
  problems: [404, ...BODY],
});

export const removeProject = operation({
  method: 'delete',
  path: '/api/projects/{id}',
  id: 'removeProject',
  confirms: true,
  access: 'administrator',
  tag: 'Projects',
  summary: 'Remove a project and its settings, tokens and visits',
  description:
    'The project and its tokens are removed immediately. Its visits and visit counts are deleted in the ' +
    'background. This cannot be undone.',
  params: { id: PROJECT },
  status: 204,
  problems: [404],
});

export const listTokens = operation({
  method: 'get',
  path: '/api/projects/{id}/tokens',
  id: 'listTokens',
  access: 'viewer',
  tag: 'Access tokens',
  summary: "List a project's access tokens",
  params: { id: PROJECT },
  answer: AccessTokenListSchema,
  problems: [404],
});

export const createToken = operation({
  method: 'post',
  path: '/api/projects/{id}/tokens',
  id: 'createToken',
  confirms: true,
  access: 'member',
  limit: MAX_ACCESS_TOKENS,
  tag: 'Access tokens',
  summary: `Create an access token (up to ${MAX_ACCESS_TOKENS} active tokens per project)`,
  params: { id: PROJECT },
  body: NewAccessTokenSchema,
  status: 201,
  answer: RevealedAccessTokenSchema,
  problems: [404, 409, ...BODY],
});

export const revealToken = operation({
  method: 'get',
  path: '/api/projects/{id}/tokens/{tokenId}',
  id: 'revealToken',
  confirms: true,
  access: 'member',
  audit: { change: 'revealed', subject: 'access_token', id: 'tokenId' },
  tag: 'Access tokens',
  summary: 'Reveal the value of an access token',
  params: { id: PROJECT, tokenId: idParameter('token') },
  answer: RevealedAccessTokenSchema,
  problems: [404],
});

export const revokeToken = operation({
  method: 'delete',
  path: '/api/projects/{id}/tokens/{tokenId}',
  id: 'revokeToken',
  confirms: true,
  access: 'owner',
  tag: 'Access tokens',
  summary: 'Revoke an access token (takes effect within 5 seconds)',
  params: { id: PROJECT, tokenId: idParameter('token') },
  status: 204,
  problems: [404],
});

export const listApiKeys = operation({
  method: 'get',
  path: '/api/api-keys',
  id: 'listApiKeys',
  access: 'administrator',
  tag: 'API keys',
  summary: 'List API keys',
  answer: ApiKeyListSchema,
});

export const createApiKey = operation({
  method: 'post',
  path: '/api/api-keys',
  id: 'createApiKey',
  confirms: true,
  access: 'administrator',
  limit: MAX_API_KEYS,
  tag: 'API keys',
  summary: 'Create an API key for a program (its value is shown only once)',
  description:
    "The key stops working if its creator is no longer an administrator. An API key can't grant scopes that it doesn't have.",
  body: NewApiKeySchema,
  status: 201,
  answer: RevealedApiKeySchema,
  problems: [409, ...BODY],
});

export const revokeApiKey = operation({
  method: 'delete',
  path: '/api/api-keys/{id}',
  id: 'revokeApiKey',
  confirms: true,
  access: 'administrator',
  tag: 'API keys',
  summary: 'Revoke an API key (takes effect within 5 seconds)',
  params: { id: idParameter('API key') },
  status: 204,
  problems: [404, 409],
});

export const listVisits = operation({
  method: 'get',
  path: '/api/projects/{id}/visits',
  id: 'listVisits',
  access: 'viewer',
  tag: 'Visits',
  summary: 'List visits',
  params: { id: PROJECT },
  query: {
    ...TIMELINE_FILTERS,
    order: withDefault(singleParameter('Sort order by time of the visit', oneOf(TIMELINE_ORDERS)), 'newest'),
    limit: LIMIT,
    cursor: cursor(timelineCursor.read),
  },
  answer: VisitPageSchema,
  problems: [404, 422, 504],
});

const EVENT_ID = parsedText('must be an event ID', parsePosition);

export const streamVisits = operation({
  method: 'get',
  path: '/api/projects/{id}/visits/stream',
  id: 'streamVisits',
  limitsReaders: true,
  access: 'viewer',
  tag: 'Visits',
  summary: 'Stream visits as they are stored',
  description:
    'Streams server-sent events. The first event is `opened`. Each `visit` event contains a visit as returned by the timeline. ' +
    'All other events contain a count in `visits`: `skipped` counts matching visits that were omitted because of ' +
    '`max_per_second`, and `filtered` counts visits that did not match the filters. Together, the events cover all ' +
    'visits to the project. To resume without gaps or duplicates, reconnect with the ID of the last event.',
  params: { id: PROJECT },
  headers: { 'Last-Event-ID': Type.String({ description: 'ID of the event to resume after' }) },
  query: {
    last_event_id: singleParameter('Same as `Last-Event-ID`, for clients that cannot set headers', EVENT_ID),
    max_per_second: singleParameter(
      'Maximum number of visits to send per second. Default: unlimited.',
      wholeNumber(1, 999_999),
    ),
    ...TIMELINE_FILTERS,
  },
  answer: Type.String(),
  mediaType: 'text/event-stream',
  problems: [404, 422, 429],
});

export const getVisit = operation({
  method: 'get',
  path: '/api/projects/{id}/visits/{visitId}',
  id: 'getVisit',
  access: 'viewer',
  tag: 'Visits',
  summary: 'Get a visit',
  params: { id: PROJECT, visitId: idParameter('visit') },
  answer: TimelineVisitSchema,
  problems: [404],
});

export const deleteVisits = operation({
  method: 'post',
  path: '/api/visits/delete',
  id: 'deleteVisits',
  confirms: true,
  access: 'administrator',
  audit: { change: 'done', subject: 'visits', project: 'project_id', body: ['project_id'], hides: ['address'] },
  tag: 'Visits',
  summary: 'Delete all visits from an address or to a project',
  description:
    'Also deletes dead letters and rejected requests that contain the address or belong to the project. Visit counts are ' +
    'retained. Each call runs for a few seconds. Repeat it with `cursor` until `next_cursor` is null. This cannot be undone.',
  body: VisitDeletionSchema,
  answer: VisitDeletionResultSchema,
  problems: [404, ...BODY],
});

/** Accepts any text so that an unknown project results in a 404 rather than a 422. */
const PROJECT_ID = { ...PROJECT, fault: '', read: (text: string) => text };

export const listDeadLetters = operation({
  method: 'get',
  path: '/api/dead-letters',
  id: 'listDeadLetters',
  access: 'authenticated',
  tag: 'Dead letters',
  summary: 'List dead letters, newest first',
  query: { project: singleParameter('Project ID', PROJECT_ID), limit: LIMIT, cursor: cursor(deadLetterCursor.read) },
  answer: DeadLetterPageSchema,
  problems: [404, 422],
});

export const getDeadLetter = operation({
  method: 'get',
  path: '/api/dead-letters/{id}',
  id: 'getDeadLetter',
  access: 'viewer',
  isRoleOfContent: true,
  tag: 'Dead letters',
  summary: 'Get a dead letter, including its original bytes',
  params: { id: idParameter('dead letter') },
  answer: DeadLetterWithBodySchema,
  problems: [404],
});

export const replayDeadLetters = operation({
  method: 'post',
  path: '/api/dead-letters/replay',
  id: 'replayDeadLetters',
  access: 'member',
  isRoleOfContent: true,
  tag: 'Dead letters',
  summary: 'Replay dead letters to their topics',
  body: DeadLetterReplaySchema,
  answer: DeadLetterReplayResultSchema,
  problems: [404, ...BODY],
});

const projects = [listProjects, createProject, getProject, changeProject, removeProject];

const tokens = [listTokens, createToken, revealToken, revokeToken];

const apiKeys = [listApiKeys, createApiKey, revokeApiKey];

const visits = [listVisits, streamVisits, getVisit, deleteVisits];

const deadLetters = [listDeadLetters, getDeadLetter, replayDeadLetters];

export const CONSOLE_OPERATIONS = [
  ...visits,
  countVisits,
  exportVisits,
  ...projects,
  ...tokens,
  ...apiKeys,
  ...deadLetters,
  ...CATALOG_OPERATIONS,
  ...Object.values(ASSISTANT_OPERATIONS),
  ...AGENT_FEED_OPERATIONS,
  ...STATISTICS_OPERATIONS,
  ...JOURNEY_OPERATIONS,
  ...TOOL_OPERATIONS,
  ...COMPLIANCE_OPERATIONS,
  ...CONDUCT_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...PERMISSION_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...COVERAGE_OPERATIONS,
  ...ONBOARDING_OPERATIONS,
  ...DRAIN_OPERATIONS,
  ...DEMO_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...OWN_ACCOUNT_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,
  ...PASSKEY_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...PROJECT_REPORT_OPERATIONS,
  ...NOTIFICATION_OPERATIONS,
  ...SAVED_FILTER_OPERATIONS,
  ...SHARING_OPERATIONS,
  ...CHART_NOTE_OPERATIONS,
  ...ALERT_OPERATIONS,
  ...ALERT_CHANNEL_OPERATIONS,
  ...UNLISTED_OPERATIONS,
  ...REIDENTIFICATION_OPERATIONS,
  ...PROJECT_RULES_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...ROBOTS_VERSION_OPERATIONS,
  ...SYSTEM_OPERATIONS,
  ...MAIL_SERVER_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...USER_OPERATIONS,
];

export const CONSOLE_INTERFACE: Interface = {
  title: 'Agent Traffic dashboard API',
  description:
    'Read visits and statistics, and administer the instance. Operations accept a personal API key or a session cookie. Requests that use the cookie to change data must come from the same origin.',
  credential: 'Personal API key (`agk_…`) with the scope that the operation requires',
  cookie: SESSION_COOKIE,
  tags: {
    Visits: 'List, stream, count, export and delete visits.',
    Statistics: 'Overview, agents and verification results for a project.',
    Journeys: "Sessions of visitors that act at a person's request.",
    Compliance: "Agents' compliance with a site's robots.txt.",
    Statements: "Signed statements of an operator's fetches, and the keys to check them with.",
    Coverage: "Pages in a site's sitemaps, and the agents that have fetched them.",
    Unlisted: 'Programs that do not match any agent in the catalog, grouped by User-Agent.',
    'Tools & commerce': "Agents' use of a site's MCP tools and shop.",
    Alerts: 'Alerts for a project, their channels and their history.',
    Reports: "Preview, schedule and recipients of a project's report.",
    'Chart notes': "Notes on days in a project's charts.",
    'Saved filters': 'Dashboard filters shared within a project.',
    Sharing: "Links that share a project's overview with people who don't have an account.",
    Projects: 'The sites that report visits, and their settings.',
    'Access tokens': 'Tokens that sites use to report visits.',
    Members: 'Project members and invitations.',
    Rules: 'Rules that control what agents can fetch from a site, and their saved versions.',
    Policy: 'Ordered rules that allow, slow down, redirect, charge or refuse agents, and their effect.',
    'Served robots.txt': "History of the robots.txt files served by a project's hosts.",
    'Connecting a site': 'Test visits, rejected requests and drains for a site.',
    'Demo data': 'Demo visits for exploring the dashboard.',
    Catalog: 'Built-in and custom agents, their verification, and assistants that refer visitors.',
    'Agent feeds': 'Third-party lists of agents, and the agents they propose for the catalog.',
    'Re-identification': 'Re-identification of stored visits with the current catalog.',
    'Dead letters': 'Visits that could not be processed, with the reasons.',
    System: 'Services, queues, address lists and retention.',
    'Audit log': 'Record of changes and revealed secrets.',
    Users: 'User accounts on the instance.',
    'API keys': 'Keys for programs that call this API.',
    'Own account': 'Your account, sessions and personal API keys.',
    Session: 'Sign-in and sign-out.',
  },
  operations: CONSOLE_OPERATIONS,
};
