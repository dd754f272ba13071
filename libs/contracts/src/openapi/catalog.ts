import {
  AGENT_ORIGINS,
  AgentExportSchema,
  AgentImportResultSchema,
  AgentImportSchema,
  AgentPageSchema,
  AgentRecordSchema,
  AgentSchema,
  CatalogSummarySchema,
  ExplanationRequestSchema,
  ExplanationSchema,
  NewTestVisitSchema,
  TestVisitSchema,
} from '../agent.schema.js';
import { AGENT_BEHAVIORS } from '../agent-behavior.js';
import { operation } from './operation.js';
import { AGENT_TYPE, BODY, key, LIMIT, one, oneOf, several, withDefault } from './parameters.js';

const AGENT = key('Agent ID or token (case-insensitive)');

export const listAgents = operation({
  method: 'get',
  path: '/api/agents',
  id: 'listAgents',
  followsCatalog: true,
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'List the known agents',
  query: {
    search: one('Part of the token, operator or robots.txt token'),
    type: several('Agent type', AGENT_TYPE),
    behavior: several('Agent behavior', oneOf(AGENT_BEHAVIORS)),
    operator: several('Operator of the agent'),
    origin: one('Origin of the agent', oneOf(AGENT_ORIGINS)),
    limit: LIMIT,
    cursor: one('Cursor from the previous response'),
  },
  answer: AgentPageSchema,
  problems: [422, 504],
});

export const addAgent = operation({
  method: 'post',
  path: '/api/agents',
  id: 'addAgent',
  access: 'administrator',
  tag: 'Catalog',
  summary: 'Add a custom agent; takes effect within 2 s',
  checksBody: 'parsed',
  body: AgentRecordSchema,
  status: 201,
  answer: AgentSchema,
  problems: [409, ...BODY, 504],
});

export const getCatalog = operation({
  method: 'get',
  path: '/api/catalog',
  id: 'getCatalog',
  followsCatalog: true,
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'Count the known agents by type and by operator',
  answer: CatalogSummarySchema,
});

export const exportAgents = operation({
  method: 'get',
  path: '/api/agents/export',
  id: 'exportAgents',
  followsCatalog: true,
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'Export all agents, or only custom ones, as a data file',
  query: { origin: withDefault(one('Agents to export: custom ones only, or all', oneOf(['own', 'all'])), 'own') },
  answer: AgentExportSchema,
  problems: [422, 504],
});

export const importAgents = operation({
  method: 'post',
  path: '/api/agents/import',
  id: 'importAgents',
  access: 'administrator',
  tag: 'Catalog',
  summary: 'Import agents from a data file; all or nothing',
  checksBody: 'parsed',
  body: AgentImportSchema,
  answer: AgentImportResultSchema,
  problems: [...BODY, 504],
});

export const getAgent = operation({
  method: 'get',
  path: '/api/agents/{agent}',
  id: 'getAgent',
  followsCatalog: true,
  version: 'read',
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'Get an agent',
  params: { agent: AGENT },
  answer: AgentSchema,
  problems: [404, 504],
});

export const changeAgent = operation({
  method: 'put',
  path: '/api/agents/{agent}',
  id: 'changeAgent',
  version: 'change',
  access: 'administrator',
  tag: 'Catalog',
  summary: 'Update an agent, custom or built-in',
  params: { agent: AGENT },
  checksBody: 'parsed',
  body: AgentRecordSchema,
  answer: AgentSchema,
  problems: [404, 409, ...BODY, 504],
});

export const removeAgent = operation({
  method: 'delete',
  path: '/api/agents/{agent}',
  id: 'removeAgent',
  version: 'change',
  access: 'administrator',
  tag: 'Catalog',
  summary: 'Remove a custom agent, or undo changes to a built-in one',
  params: { agent: AGENT },
  status: 204,
  problems: [404, 409, 504],
});

export const explainIdentification = operation({
  method: 'post',
  path: '/api/identifications',
  id: 'explainIdentification',
  access: 'authenticated',
  onlyReads: true,
  tag: 'Catalog',
  summary: 'Identify the sender of a request, and explain each step',
  body: ExplanationRequestSchema,
  answer: ExplanationSchema,
  problems: [404, ...BODY, 504],
});

export const signTestVisit = operation({
  method: 'post',
  path: '/api/test-visits',
  id: 'signTestVisit',
  access: 'administrator',
  audit: 'nothing',
  tag: 'Catalog',
  summary: "Sign a request as the instance's test agent",
  body: NewTestVisitSchema,
  answer: TestVisitSchema,
  problems: BODY,
});

/** Served by the catalog service. The console forwards them. */
export const AGENT_OPERATIONS = {
  list: listAgents,
  add: addAgent,
  export: exportAgents,
  import: importAgents,
  find: getAgent,
  change: changeAgent,
  remove: removeAgent,
};

export const CATALOG_OPERATIONS = [
  listAgents,
  addAgent,
  getCatalog,
  exportAgents,
  importAgents,
  getAgent,
  changeAgent,
  removeAgent,
  explainIdentification,
  signTestVisit,
];
