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
import { BODY, cursor, idOf, LIMIT, one, PROJECT } from './parameters.js';

const TAG = 'Served robots.txt';

export const listRobotsVersions = operation({
  method: 'get',
  path: '/api/projects/{id}/robots-versions',
  id: 'listRobotsVersions',
  access: 'viewer',
  tag: TAG,
  summary: "List robots.txt versions of a project's hosts, newest first",
  params: { id: PROJECT },
  query: { host: one('Only of this host'), limit: LIMIT, cursor: cursor(robotsVersionCursor.read) },
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
  summary: `Record a robots.txt version of a host; the last ${MAX_ROBOTS_VERSIONS} per host are kept`,
  description:
    'For sites that this instance cannot fetch from, and for what was served before. What is in force at that time ends ' +
    'then; what is recorded again changes nothing. Where no file could be fetched, versions that failed fetches made from ' +
    'that time on are deleted. Visits that were judged before are not judged again.',
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
  summary: "Fetch robots.txt from each of the project's hosts",
  description: 'A host that was asked within the last 10 s is not asked again. Hosts left over after 20 s come later.',
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
  summary: 'Get a version with its text and signals',
  params: { id: PROJECT, robotsVersionId: idOf('version') },
  answer: RobotsVersionWithTextSchema,
  problems: [404],
});

/** What the hosts of a project serve as robots.txt. */
export const ROBOTS_VERSION_OPERATIONS = [
  listRobotsVersions,
  recordRobotsVersion,
  refreshRobotsVersions,
  getRobotsVersion,
];
