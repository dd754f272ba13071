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
    'Calls are counted with their visits. A checkout counts once, in the range in which it began, by its newest state, ' +
    'however often it was reported.',
  params: { id: PROJECT },
  query: RANGE,
  answer: ToolsReportSchema,
  problems: [404, 422, 504],
});

/** What agents do with a site's tools and its shop. */
export const TOOL_OPERATIONS = [getTools];
