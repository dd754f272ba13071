import {
  DismissedUserAgentSchema,
  DismissedUserAgentsSchema,
  MAX_DISMISSED,
  NewDismissedUserAgentSchema,
  PatternTrialResultSchema,
  PatternTrialSchema,
  SUSPECTED_VERDICTS,
  TRIAL_DAYS,
  UnlistedSchema,
} from '../unlisted.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, oneOf, PROJECT, RANGE, repeatableParameter } from './parameters.js';

const TAG = 'Unlisted';

export const getUnlisted = operation({
  method: 'get',
  path: '/api/projects/{id}/unlisted',
  id: 'getUnlisted',
  access: 'viewer',
  tag: TAG,
  summary: 'List programs that are not in the catalog, grouped by User-Agent',
  params: { id: PROJECT },
  query: {
    ...RANGE,
    automation: repeatableParameter('Automation verdict for the counted visits', oneOf(SUSPECTED_VERDICTS)),
  },
  answer: UnlistedSchema,
  problems: [404, 422, 504],
});

export const tryPatterns = operation({
  method: 'post',
  path: '/api/projects/{id}/pattern-trials',
  id: 'tryPatterns',
  access: 'viewer',
  onlyReads: true,
  tag: TAG,
  summary: `Test patterns against unlisted visits in the last ${TRIAL_DAYS} days, and against browsers`,
  description: 'Patterns are tested against user agent groups, in which versions are replaced with 1.0.',
  params: { id: PROJECT },
  body: PatternTrialSchema,
  answer: PatternTrialResultSchema,
  problems: [404, 504, ...BODY],
});

export const listDismissedUserAgents = operation({
  method: 'get',
  path: '/api/projects/{id}/dismissed-user-agents',
  id: 'listDismissedUserAgents',
  access: 'viewer',
  tag: TAG,
  summary: 'List dismissed user agents',
  params: { id: PROJECT },
  answer: DismissedUserAgentsSchema,
  problems: [404],
});

export const dismissUserAgent = operation({
  method: 'post',
  path: '/api/projects/{id}/dismissed-user-agents',
  id: 'dismissUserAgent',
  access: 'member',
  limit: MAX_DISMISSED,
  tag: TAG,
  summary: `Dismiss an unlisted user agent (up to ${MAX_DISMISSED} per project)`,
  params: { id: PROJECT },
  body: NewDismissedUserAgentSchema,
  status: 201,
  answer: DismissedUserAgentSchema,
  problems: [404, 409, ...BODY],
});

export const restoreUserAgent = operation({
  method: 'delete',
  path: '/api/projects/{id}/dismissed-user-agents/{dismissedId}',
  id: 'restoreUserAgent',
  access: 'member',
  tag: TAG,
  summary: 'Restore a dismissed user agent',
  params: { id: PROJECT, dismissedId: idParameter('dismissed user agent') },
  status: 204,
  problems: [404],
});

export const UNLISTED_OPERATIONS = [
  getUnlisted,
  tryPatterns,
  listDismissedUserAgents,
  dismissUserAgent,
  restoreUserAgent,
];
