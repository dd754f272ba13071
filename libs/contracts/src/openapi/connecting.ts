import {
  NewSampleVisitSchema,
  NewSiteTestVisitSchema,
  RefusedRequestListSchema,
  SampleVisitSchema,
  SiteTestVisitSchema,
} from '../test-visit.schema.js';
import type { Operation } from './operation.js';
import { BODY, uuid } from './parameters.js';

const PROJECT = uuid('id', 'The project');

/** What helps to connect a site. */
export const CONNECTING_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/projects/{id}/test-visits',
    id: 'sendTestVisit',
    access: 'member',
    tag: 'Connecting a site',
    summary: "Request the project's site once as the test agent, and wait for the site to report it",
    description:
      "The request goes to the project's site address, signed with Web Bot Auth. The answer comes at once; how far " +
      'it got is read from the operation below. One at a time.',
    parameters: [PROJECT],
    body: NewSiteTestVisitSchema,
    status: 202,
    answer: SiteTestVisitSchema,
    problems: [404, 409, 429, ...BODY],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/test-visits/{testVisitId}',
    id: 'getTestVisit',
    access: 'viewer',
    tag: 'Connecting a site',
    summary: 'Read how far a test visit got, and what came of it',
    parameters: [PROJECT, uuid('testVisitId', 'The test visit')],
    status: 200,
    answer: SiteTestVisitSchema,
    problems: [404],
  },
  {
    method: 'post',
    path: '/api/projects/{id}/sample-visits',
    id: 'sendSampleVisit',
    access: 'member',
    tag: 'Connecting a site',
    summary: 'Record one marked visit, as if the site had reported it',
    parameters: [PROJECT],
    body: NewSampleVisitSchema,
    status: 202,
    answer: SampleVisitSchema,
    problems: [404, 429, ...BODY],
  },
  {
    method: 'get',
    path: '/api/projects/{id}/refused-requests',
    id: 'listRefusedRequests',
    access: 'viewer',
    tag: 'Connecting a site',
    summary: "List the last ten requests with a token of the project's that were refused",
    parameters: [PROJECT],
    status: 200,
    answer: RefusedRequestListSchema,
    problems: [404],
  },
  {
    method: 'get',
    path: '/api/refused-requests',
    id: 'listUnknownTokenRequests',
    access: 'administrator',
    tag: 'Connecting a site',
    summary: 'List the last requests that were refused because nobody knows their token',
    description: 'They belong to no project.',
    status: 200,
    answer: RefusedRequestListSchema,
    problems: [],
  },
];
