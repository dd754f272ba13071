import { ToolsReportSchema } from '../tools.schema.js';
import { operation } from './operation.js';
import { PROJECT, RANGE } from './parameters.js';

export const getTools = operation({
  method: 'get',
  path: '/api/projects/{id}/tools',
  id: 'getTools',
  access: 'viewer',
  tag: 'Tools & commerce',
  summary: 'Get statistics on MCP calls, and on ACP and UCP checkouts',
  description:
    'Calls are counted together with their visits. Calls with the result type `input_required` are counted when they ' +
    'are retried. Each checkout is counted once, in the range in which it started and with its latest state, ' +
    'regardless of how often it was reported.',
  params: { id: PROJECT },
  query: RANGE,
  answer: ToolsReportSchema,
  problems: [404, 422, 504],
});

export const TOOL_OPERATIONS = [getTools];
