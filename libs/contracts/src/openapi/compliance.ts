import { ComplianceSchema, DisregardedSchema } from '../compliance.schema.js';
import { operation } from './operation.js';
import { AGENT, PROJECT, RANGE } from './parameters.js';

export const getCompliance = operation({
  method: 'get',
  path: '/api/projects/{id}/compliance',
  id: 'getCompliance',
  access: 'viewer',
  tag: 'Compliance',
  summary: 'List agents that fetched paths that robots.txt disallowed at that time',
  description:
    'Visits are judged when they are reported, by the version of robots.txt that was in force when they occurred, and ' +
    'counted so: a later version changes nothing. Visits that failed verification never count against the agent that ' +
    'they claim to be.',
  params: { id: PROJECT },
  query: RANGE,
  answer: ComplianceSchema,
  problems: [404, 422, 504],
});

export const getDisregarded = operation({
  method: 'get',
  path: '/api/projects/{id}/compliance/{agentId}',
  id: 'getDisregarded',
  access: 'viewer',
  tag: 'Compliance',
  summary: 'List the robots.txt lines that an agent disregarded, with the paths',
  description: 'The lists are empty for an agent that fetched nothing that robots.txt disallowed.',
  params: { id: PROJECT, agentId: AGENT },
  query: RANGE,
  answer: DisregardedSchema,
  problems: [404, 422, 504],
});

/** Whether agents keep to robots.txt. */
export const COMPLIANCE_OPERATIONS = [getCompliance, getDisregarded];
