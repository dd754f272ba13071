import {
  NewSampleVisitSchema,
  NewSiteTestVisitSchema,
  RejectedRequestListSchema,
  SampleVisitSchema,
  SiteTestVisitSchema,
} from '../test-visit.schema.js';
import { VisitorPathSchema } from '../visitor-path.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT } from './parameters.js';

export const sendTestVisit = operation({
  method: 'post',
  path: '/api/projects/{id}/test-visits',
  id: 'sendTestVisit',
  access: 'member',
  tag: 'Connecting a site',
  summary: "Send a test visit to the project's site",
  description:
    "Sends a request signed with Web Bot Auth to the project's site URL and returns immediately. Poll " +
    '`GET /api/projects/{id}/test-visits/{testVisitId}` for the result. Only one test visit can run at a time.',
  params: { id: PROJECT },
  body: NewSiteTestVisitSchema,
  status: 202,
  answer: SiteTestVisitSchema,
  problems: [404, 409, 429, ...BODY],
});

export const getTestVisit = operation({
  method: 'get',
  path: '/api/projects/{id}/test-visits/{testVisitId}',
  id: 'getTestVisit',
  access: 'viewer',
  tag: 'Connecting a site',
  summary: 'Get the status and result of a test visit',
  params: { id: PROJECT, testVisitId: idParameter('test visit') },
  answer: SiteTestVisitSchema,
  problems: [404],
});

export const sendSampleVisit = operation({
  method: 'post',
  path: '/api/projects/{id}/sample-visits',
  id: 'sendSampleVisit',
  access: 'member',
  audit: { change: 'done', subject: 'sample_visit' },
  tag: 'Connecting a site',
  summary: 'Record a sample visit as if the site had reported it',
  params: { id: PROJECT },
  body: NewSampleVisitSchema,
  status: 202,
  answer: SampleVisitSchema,
  problems: [404, 429, ...BODY],
});

export const listRefusedRequests = operation({
  method: 'get',
  path: '/api/projects/{id}/refused-requests',
  id: 'listRefusedRequests',
  access: 'viewer',
  tag: 'Connecting a site',
  summary: "List the last ten rejected requests that used one of the project's tokens",
  params: { id: PROJECT },
  answer: RejectedRequestListSchema,
  problems: [404],
});

export const listUnknownTokenRequests = operation({
  method: 'get',
  path: '/api/refused-requests',
  id: 'listUnknownTokenRequests',
  access: 'administrator',
  tag: 'Connecting a site',
  summary: 'List the most recent requests that were rejected because of an unknown token',
  description: 'These requests do not belong to any project.',
  answer: RejectedRequestListSchema,
});

export const getVisitorPath = operation({
  method: 'get',
  path: '/api/projects/{id}/visitor-path',
  id: 'getVisitorPath',
  access: 'viewer',
  tag: 'Connecting a site',
  summary: "Get the network path between visitors and the project's site",
  description:
    'Based on the 200 most recent visits. To accept a proposal, set `trusted_proxies` in the project settings to its value.',
  params: { id: PROJECT },
  answer: VisitorPathSchema,
  problems: [404],
});

export const ONBOARDING_OPERATIONS = [
  sendTestVisit,
  getTestVisit,
  sendSampleVisit,
  listRefusedRequests,
  listUnknownTokenRequests,
  getVisitorPath,
];
