import { Type } from 'typebox';
import {
  AccessTokenListSchema,
  ApiKeyListSchema,
  DeadLetterPageSchema,
  DeadLetterReplayResultSchema,
  DeadLetterReplaySchema,
  DeadLetterWithBodySchema,
  NewAccessTokenSchema,
  NewApiKeySchema,
  NewProjectSchema,
  ProjectChangeSchema,
  ProjectListSchema,
  ProjectSchema,
  RevealedAccessTokenSchema,
  RevealedApiKeySchema,
  VisitPageSchema,
} from '../console.schema.js';
import { EnrichedVisitSchema } from '../enriched-visit.schema.js';
import { CATALOG_OPERATIONS } from './catalog.js';
import { SESSION_COOKIE } from '../account.schema.js';
import { ACCOUNT_OPERATIONS } from './accounts.js';
import type { Interface, Operation } from './operation.js';
import { BODY, CURSOR, LIMIT, query, TIMELINE_FILTERS, uuid } from './parameters.js';
import { PROJECT_RULES_OPERATIONS } from './project-rules.js';
import { SYSTEM_OPERATIONS } from './system.js';
import { USER_OPERATIONS } from './users.js';
import { EXPORT_OPERATION, STATISTICS_OPERATIONS } from './statistics.js';
import { CONNECTING_OPERATIONS } from './connecting.js';

const PROJECT = uuid('id', 'The project');

const projects: Operation[] = [
  {
    method: 'get',
    path: '/api/projects',
    id: 'listProjects',
    access: 'authenticated',
    tag: 'Projects',
    summary: 'List projects',
    status: 200,
    answer: ProjectListSchema,
    problems: [],
  },
  {
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
  },
  {
    method: 'get',
    path: '/api/projects/{id}',
    id: 'getProject',
    access: 'viewer',
    tag: 'Projects',
    summary: 'Read a project',
    parameters: [PROJECT],
    status: 200,
    answer: ProjectSchema,
    problems: [404],
  },
  {
    method: 'patch',
    path: '/api/projects/{id}',
    id: 'changeProject',
    access: 'member',
    tag: 'Projects',
    summary: "Change a project's settings",
    parameters: [PROJECT],
    body: ProjectChangeSchema,
    status: 200,
    answer: ProjectSchema,
    problems: [404, ...BODY],
  },
  {
    method: 'delete',
    path: '/api/projects/{id}',
    id: 'removeProject',
    access: 'administrator',
    tag: 'Projects',
    summary: 'Remove a project with its settings, tokens and visits',
    description:
      'The project and its tokens are gone at once; its visits and their counts are deleted in ' +
      'the background. This can not be undone.',
    parameters: [PROJECT],
    status: 204,
    problems: [404],
  },
];

const tokens: Operation[] = [
  {
    method: 'get',
    path: '/api/projects/{id}/tokens',
    id: 'listTokens',
    access: 'viewer',
    tag: 'Access tokens',
    summary: "List a project's access tokens",
    parameters: [PROJECT],
    status: 200,
    answer: AccessTokenListSchema,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/projects/{id}/tokens',
    id: 'createToken',
    access: 'member',
    tag: 'Access tokens',
    summary: 'Make another access token',
    parameters: [PROJECT],
    body: NewAccessTokenSchema,
    status: 201,
    answer: RevealedAccessTokenSchema,
    problems: [404, ...BODY],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/tokens/{tokenId}',
    id: 'revealToken',
    access: 'member',
    tag: 'Access tokens',
    summary: 'Show the value of an access token',
    parameters: [PROJECT, uuid('tokenId', 'The token')],
    status: 200,
    answer: RevealedAccessTokenSchema,
    problems: [404],
  },
  {
    method: 'delete',
    path: '/api/projects/{id}/tokens/{tokenId}',
    id: 'revokeToken',
    access: 'owner',
    tag: 'Access tokens',
    summary: 'Revoke an access token; it stops working within 5 s',
    parameters: [PROJECT, uuid('tokenId', 'The token')],
    status: 204,
    problems: [404],
  },
];

const apiKeys: Operation[] = [
  {
    method: 'get',
    path: '/api/api-keys',
    id: 'listApiKeys',
    access: 'administrator',
    tag: 'API keys',
    summary: 'List API keys',
    status: 200,
    answer: ApiKeyListSchema,
    problems: [],
  },
  {
    method: 'post',
    path: '/api/api-keys',
    id: 'createApiKey',
    access: 'administrator',
    tag: 'API keys',
    summary: 'Make an API key; its value is shown once',
    body: NewApiKeySchema,
    status: 201,
    answer: RevealedApiKeySchema,
    problems: BODY,
  },
  {
    method: 'delete',
    path: '/api/api-keys/{id}',
    id: 'revokeApiKey',
    access: 'administrator',
    tag: 'API keys',
    summary: 'Revoke an API key; it stops working within 5 s',
    parameters: [uuid('id', 'The key')],
    status: 204,
    problems: [404, 409],
  },
];

const visits: Operation[] = [
  {
    method: 'get',
    path: '/api/projects/{id}/visits',
    id: 'listVisits',
    access: 'viewer',
    tag: 'Visits',
    summary: 'Page through the timeline, newest first',
    parameters: [PROJECT, ...TIMELINE_FILTERS, LIMIT, CURSOR],
    status: 200,
    answer: VisitPageSchema,
    problems: [404, 422, 504],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/visits/stream',
    id: 'streamVisits',
    access: 'viewer',
    tag: 'Visits',
    summary: 'Follow visits as they are stored',
    description:
      'Server-sent events. `event: visit` carries an enriched visit. Of the others `data` has the number `visits`: ' +
      '`event: skipped` says how many that fit were left out under `max_per_second`, `event: filtered` how many did ' +
      'not fit the filters; the three together are all visits of the project. `event: opened` comes first. Reconnect ' +
      'with the id of the last event: there is neither a gap nor a repeat.',
    parameters: [
      PROJECT,
      { in: 'header', name: 'Last-Event-ID', description: 'Resume after this event', schema: { type: 'string' } },
      query('last_event_id', 'The same, where headers can not be set'),
      query('max_per_second', 'Visits a second, at most', { type: 'integer', minimum: 1, maximum: 999_999 }),
      ...TIMELINE_FILTERS,
    ],
    status: 200,
    answer: Type.String(),
    mediaType: 'text/event-stream',
    problems: [404, 422, 429],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/visits/{visitId}',
    id: 'getVisit',
    access: 'viewer',
    tag: 'Visits',
    summary: 'Read a visit',
    parameters: [PROJECT, uuid('visitId', 'The visit')],
    status: 200,
    answer: EnrichedVisitSchema,
    problems: [404],
  },
];

const deadLetters: Operation[] = [
  {
    method: 'get',
    path: '/api/dead-letters',
    id: 'listDeadLetters',
    access: 'authenticated',
    tag: 'Dead letters',
    summary: 'List what could not be processed, newest first',
    parameters: [query('project', 'Only of this project', { type: 'string', format: 'uuid' }), LIMIT, CURSOR],
    status: 200,
    answer: DeadLetterPageSchema,
    problems: [404, 422],
  },
  {
    method: 'get',
    path: '/api/dead-letters/{id}',
    id: 'getDeadLetter',
    access: 'viewer',
    tag: 'Dead letters',
    summary: 'Read a dead letter with its bytes',
    parameters: [uuid('id', 'The dead letter')],
    status: 200,
    answer: DeadLetterWithBodySchema,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/dead-letters/replay',
    id: 'replayDeadLetters',
    access: 'member',
    tag: 'Dead letters',
    summary: 'Put dead letters back on the topics they came from',
    body: DeadLetterReplaySchema,
    status: 200,
    answer: DeadLetterReplayResultSchema,
    problems: [404, ...BODY],
  },
];

/** What people and tools call. */
export const CONSOLE_INTERFACE: Interface = {
  title: 'Agent Traffic: console interface',
  description:
    'For people and tools: read the timeline, administer. Every operation takes a personal API key, or the cookie of a session; with the cookie, what changes something has to come from the same origin.',
  credential: 'A personal API key, `agk_…`, for everything or for some projects',
  cookie: SESSION_COOKIE,
  operations: [
    ...visits,
    EXPORT_OPERATION,
    ...projects,
    ...tokens,
    ...apiKeys,
    ...deadLetters,
    ...CATALOG_OPERATIONS,
    ...STATISTICS_OPERATIONS,
    ...CONNECTING_OPERATIONS,
    ...ACCOUNT_OPERATIONS,
    ...PROJECT_RULES_OPERATIONS,
    ...SYSTEM_OPERATIONS,
    ...USER_OPERATIONS,
  ],
};
