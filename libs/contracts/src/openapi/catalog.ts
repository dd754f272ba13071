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
import {
  AGENT_TYPE,
  BODY,
  textParameter,
  LIMIT,
  singleParameter,
  oneOf,
  repeatableParameter,
  withDefault,
} from './parameters.js';

const AGENT = textParameter('Agent ID or token (case-insensitive)');

export const listAgents = operation({
  method: 'get',
  path: '/api/agents',
  id: 'listAgents',
  followsCatalog: true,
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'List agents in the catalog',
  query: {
    search: singleParameter('Text to search for in the token, operator and robots.txt token'),
    type: repeatableParameter('Agent type', AGENT_TYPE),
    behavior: repeatableParameter('Agent behavior', oneOf(AGENT_BEHAVIORS)),
    operator: repeatableParameter('Company that operates the agent'),
    origin: singleParameter('Agent origin', oneOf(AGENT_ORIGINS)),
    limit: LIMIT,
    cursor: singleParameter('Cursor from the previous response'),
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
  summary: 'Add a custom agent (takes effect within 2 seconds)',
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
  summary: 'Count agents in the catalog by type and operator',
  answer: CatalogSummarySchema,
});

export const exportAgents = operation({
  method: 'get',
  path: '/api/agents/export',
  id: 'exportAgents',
  followsCatalog: true,
  access: 'authenticated',
  tag: 'Catalog',
  summary: 'Export custom agents or all agents as a data file',
  query: {
    origin: withDefault(
      singleParameter('Whether to export only custom agents or all agents', oneOf(['own', 'all'])),
      'own',
    ),
  },
  answer: AgentExportSchema,
  problems: [422, 504],
});

export const importAgents = operation({
  method: 'post',
  path: '/api/agents/import',
  id: 'importAgents',
  access: 'administrator',
  tag: 'Catalog',
  summary: 'Import agents from a data file (all or nothing)',
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
  summary: 'Update a custom or built-in agent',
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
  summary: 'Identify the sender of a request and explain each step',
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

/** Operations that the console forwards to the catalog service. */
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
