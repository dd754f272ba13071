import {
  DismissedUserAgentSchema,
  DismissedUserAgentsSchema,
  MAX_DISMISSED,
  NewDismissedUserAgentSchema,
  PatternTrialResultSchema,
  PatternTrialSchema,
  SUSPECTED,
  TRIAL_DAYS,
  UnlistedSchema,
} from '../unlisted.schema.js';
import { operation } from './operation.js';
import { BODY, idOf, oneOf, PROJECT, RANGE, several } from './parameters.js';

const TAG = 'Unlisted';

export const getUnlisted = operation({
  method: 'get',
  path: '/api/projects/{id}/unlisted',
  id: 'getUnlisted',
  access: 'viewer',
  tag: TAG,
  summary: 'List unknown programs by user agent',
  params: { id: PROJECT },
  query: { ...RANGE, automation: several('Whether a program made the visits that are counted', oneOf(SUSPECTED)) },
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
  summary: `Test patterns: count matching unlisted visits of the last ${TRIAL_DAYS} days, and check against browsers`,
  description: 'Patterns are tried on the groups of user agents that were counted, with 1.0 in the place of versions.',
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
  summary: `Dismiss a user agent from the unlisted programs; up to ${MAX_DISMISSED} per project`,
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
  params: { id: PROJECT, dismissedId: idOf('dismissed user agent') },
  status: 204,
  problems: [404],
});

/** Programs that no agent of the catalog names. */
export const UNLISTED_OPERATIONS = [
  getUnlisted,
  tryPatterns,
  listDismissedUserAgents,
  dismissUserAgent,
  restoreUserAgent,
];
