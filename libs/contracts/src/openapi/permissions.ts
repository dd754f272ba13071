import { MAX_PERMISSION_DAYS, MAX_PERMISSION_VISITS, PermissionsSchema } from '../permissions.schema.js';
import { operation } from './operation.js';
import { PROJECT, RANGE, singleParameter, TIME } from './parameters.js';

export const getPermissions = operation({
  method: 'get',
  path: '/api/projects/{id}/permissions',
  id: 'getPermissions',
  access: 'viewer',
  tag: 'Compliance',
  summary: 'Get the permissions that a host grants and refuses, and their contradictions',
  description:
    'Compares robots.txt rules, Content-Signal, Content-Usage, X-Robots-Tag, RSL licenses and responses, by purpose and ' +
    'for each version of robots.txt in the range. The most restrictive statement takes precedence. Headers and ' +
    `responses come from at most ${MAX_PERMISSION_VISITS.toLocaleString('en')} stored visits: the newest ones of each day.`,
  params: { id: PROJECT },
  query: {
    from: singleParameter(
      `Start of the time range (inclusive, ISO 8601), at most ${MAX_PERMISSION_DAYS} days before \`to\`. Default: 7 days before \`to\`.`,
      TIME,
    ),
    to: RANGE.to,
    host: singleParameter('Host name. Default: the first of the project.'),
  },
  answer: PermissionsSchema,
  problems: [404, 422, 504],
});

export const PERMISSION_OPERATIONS = [getPermissions];
