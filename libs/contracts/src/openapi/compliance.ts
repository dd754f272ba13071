import { ComplianceSchema, DisregardedSchema } from '../compliance.schema.js';
import { operation } from './operation.js';
import { AGENT, PROJECT, RANGE } from './parameters.js';

export const getCompliance = operation({
  method: 'get',
  path: '/api/projects/{id}/compliance',
  id: 'getCompliance',
  access: 'viewer',
  tag: 'Compliance',
  summary: 'List agents that fetched paths disallowed by robots.txt at the time',
  description:
    'Each visit is judged when it is reported, by the robots.txt version in force when the visit occurred. Later ' +
    "versions don't change the result. Visits that failed verification never count against the claimed agent.",
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
  description: 'The lists are empty if the agent fetched no disallowed paths.',
  params: { id: PROJECT, agentId: AGENT },
  query: RANGE,
  answer: DisregardedSchema,
  problems: [404, 422, 504],
});

export const COMPLIANCE_OPERATIONS = [getCompliance, getDisregarded];
