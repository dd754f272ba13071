import { robotsVersionCursor } from '../cursors.js';
import {
  MAX_ROBOTS_VERSIONS,
  NewRobotsVersionSchema,
  RobotsHostListSchema,
  RobotsRefreshSchema,
  RobotsVersionPageSchema,
  RobotsVersionSchema,
  RobotsVersionWithTextSchema,
} from '../robots-version.schema.js';
import { operation } from './operation.js';
import { BODY, cursor, idParameter, LIMIT, singleParameter, PROJECT } from './parameters.js';

const TAG = 'Served robots.txt';

export const listRobotsVersions = operation({
  method: 'get',
  path: '/api/projects/{id}/robots-versions',
  id: 'listRobotsVersions',
  access: 'viewer',
  tag: TAG,
  summary: "List the robots.txt versions of a project's hosts, newest first",
  params: { id: PROJECT },
  query: { host: singleParameter('Host name'), limit: LIMIT, cursor: cursor(robotsVersionCursor.read) },
  answer: RobotsVersionPageSchema,
  problems: [404, 422],
});

export const recordRobotsVersion = operation({
  method: 'post',
  path: '/api/projects/{id}/robots-versions',
  id: 'recordRobotsVersion',
  access: 'member',
  limit: MAX_ROBOTS_VERSIONS,
  tag: TAG,
  summary: `Record a robots.txt version for a host (the last ${MAX_ROBOTS_VERSIONS} per host are retained)`,
  description:
    "Use this for sites that this instance can't reach, and for past versions. The active version ends at `served_from`. " +
    'Recording the same text again has no effect. Later versions from failed fetches are deleted, unless a file was ' +
    'fetched before `served_from`. Visits that have already been judged are not judged again.',
  params: { id: PROJECT },
  body: NewRobotsVersionSchema,
  status: 201,
  answer: RobotsVersionSchema,
  problems: [404, 409, ...BODY],
});

export const refreshRobotsVersions = operation({
  method: 'post',
  path: '/api/projects/{id}/robots-versions/refresh',
  id: 'refreshRobotsVersions',
  access: 'member',
  audit: { change: 'done', subject: 'robots_version' },
  tag: TAG,
  summary: "Fetch robots.txt from each of the project's hosts, and the RSL licenses that they link to",
  description:
    'Hosts fetched within the last 10 seconds are skipped. Hosts that cannot be reached within 20 seconds are fetched later.',
  params: { id: PROJECT },
  body: RobotsRefreshSchema,
  answer: RobotsHostListSchema,
  problems: [404, ...BODY],
});

export const getRobotsVersion = operation({
  method: 'get',
  path: '/api/projects/{id}/robots-versions/{robotsVersionId}',
  id: 'getRobotsVersion',
  access: 'viewer',
  tag: TAG,
  summary: 'Get a robots.txt version, including its text and signals',
  params: { id: PROJECT, robotsVersionId: idParameter('version') },
  answer: RobotsVersionWithTextSchema,
  problems: [404],
});

export const ROBOTS_VERSION_OPERATIONS = [
  listRobotsVersions,
  recordRobotsVersion,
  refreshRobotsVersions,
  getRobotsVersion,
];
