import { Type } from 'typebox';
import {
  MAX_SHARED_LINKS,
  NewSharedLinkSchema,
  PASS_HEADER,
  RevealedSharedLinkSchema,
  SHARED_RANGES,
  SharedLinkListSchema,
  SharedOverviewSchema,
  SharedPassSchema,
  SharedPasswordSchema,
  type SharedRange,
} from '../shared-link.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, textParameter, singleParameter, oneOf, PROJECT, withDefault } from './parameters.js';

const TAG = 'Sharing';
const SECRET = textParameter('Secret from the link');
const BADGE = textParameter('Badge ID from the badge URL');
const PASS = { [PASS_HEADER]: Type.String({ description: 'Pass for the link. Required if the link has a password.' }) };

export const listSharedLinks = operation({
  method: 'get',
  path: '/api/projects/{id}/shared-links',
  id: 'listSharedLinks',
  access: 'viewer',
  tag: TAG,
  summary: "List shared links to a project's overview",
  params: { id: PROJECT },
  answer: SharedLinkListSchema,
  problems: [404],
});

export const createSharedLink = operation({
  method: 'post',
  path: '/api/projects/{id}/shared-links',
  id: 'createSharedLink',
  access: 'owner',
  confirms: true,
  limit: MAX_SHARED_LINKS,
  tag: TAG,
  summary: `Create a shared link to a project's overview (up to ${MAX_SHARED_LINKS} per project)`,
  description: 'Anyone who has the link, and its password if it has one, can read the overview but nothing else.',
  params: { id: PROJECT },
  body: NewSharedLinkSchema,
  status: 201,
  answer: RevealedSharedLinkSchema,
  problems: [404, 409, ...BODY, 429],
});

export const revokeSharedLink = operation({
  method: 'delete',
  path: '/api/projects/{id}/shared-links/{linkId}',
  id: 'revokeSharedLink',
  access: 'owner',
  tag: TAG,
  summary: 'Revoke a shared link (takes effect immediately)',
  params: { id: PROJECT, linkId: idParameter('shared link') },
  status: 204,
  problems: [404],
});

export const openSharedLink = operation({
  method: 'post',
  path: '/api/shared/{secret}/pass',
  id: 'openSharedLink',
  access: 'public',
  audit: 'nothing',
  tag: TAG,
  summary: 'Exchange the password of a shared link for a pass',
  params: { secret: SECRET },
  body: SharedPasswordSchema,
  answer: SharedPassSchema,
  answerHeaders: { 'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.' },
  problems: [403, 404, 409, ...BODY, 429],
});

export const getSharedOverview = operation({
  method: 'get',
  path: '/api/shared/{secret}/overview',
  id: 'getSharedOverview',
  access: 'shared',
  tag: TAG,
  summary: 'Get the overview for a shared link (data can be up to a minute old)',
  params: { secret: SECRET },
  headers: PASS,
  query: {
    range: withDefault(
      singleParameter('Time range, ending now', oneOf(Object.keys(SHARED_RANGES) as SharedRange[])),
      '30d' as SharedRange,
    ),
  },
  answer: SharedOverviewSchema,
  problems: [422, 504],
});

export const getSharedBadge = operation({
  method: 'get',
  path: '/api/shared-badges/{badge}',
  id: 'getSharedBadge',
  access: 'shared',
  tag: TAG,
  summary: "Get a badge image that shows this month's agent visits (cached for five minutes)",
  description:
    "The month is the current calendar month in the project's time zone. The URL doesn't reveal the link's secret.",
  params: { badge: BADGE },
  headers: PASS,
  answer: Type.String(),
  mediaType: 'image/svg+xml',
  problems: [504],
});

export const SHARING_OPERATIONS = [
  listSharedLinks,
  createSharedLink,
  revokeSharedLink,
  openSharedLink,
  getSharedOverview,
  getSharedBadge,
];
