import { ComplianceSchema, DisregardedSchema } from '../compliance.schema.js';
import { operation } from './operation.js';
import { AGENT, PROJECT, RANGE } from './parameters.js';

export const getCompliance = operation({
  method: 'get',
  path: '/api/projects/{id}/compliance',
  id: 'getCompliance',
  access: 'viewer',
  tag: 'Compliance',
  summary: 'List the agents that fetched paths disallowed by robots.txt',
  description:
    'Each visit is judged when it is reported, using the robots.txt version active at the time of the visit. Later ' +
    "versions don't change the verdict. Visits that failed verification never count against the agent they claim to be.",
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
  summary: 'List the robots.txt lines that an agent disregarded and the paths it fetched',
  description: "The lists are empty if the agent didn't fetch any disallowed paths.",
  params: { id: PROJECT, agentId: AGENT },
  query: RANGE,
  answer: DisregardedSchema,
  problems: [404, 422, 504],
});

export const COMPLIANCE_OPERATIONS = [getCompliance, getDisregarded];
