import { ToolsReportSchema } from '../tools.schema.js';
import { operation } from './operation.js';
import { PROJECT, RANGE } from './parameters.js';

export const getTools = operation({
  method: 'get',
  path: '/api/projects/{id}/tools',
  id: 'getTools',
  access: 'viewer',
  tag: 'Tools & commerce',
  summary: 'Get MCP tool calls, and ACP and UCP checkouts',
  description:
    'Calls are counted along with their visits. A checkout counts once, in the range in which it started and with its ' +
    'latest state, no matter how often it was reported.',
  params: { id: PROJECT },
  query: RANGE,
  answer: ToolsReportSchema,
  problems: [404, 422, 504],
});

export const TOOL_OPERATIONS = [getTools];
