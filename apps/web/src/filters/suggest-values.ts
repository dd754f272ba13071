import type { Visit } from '../api/client.js';
import type { FilterName } from './filter-set.js';

const MAX_SUGGESTIONS = 200;

/** Values in visits, by the filter that they are suggested for. */
const FIELDS: { [K in FilterName]?: (visit: Visit) => string | number | null | undefined } = {
  agent: ({ identification }) => identification.agent_token,
  operator: ({ identification }) => identification.operator_name,
  page: ({ visit }) => visit.request_path.split('?', 1)[0],
  path: ({ visit }) => visit.request_path,
  status: ({ visit }) => visit.response_status_code,
  address: (visit) => visit.client_address,
  mcp_tool: ({ visit }) => visit.mcp_request_tool_name,
};

/** Returns values of visits that a filter accepts, in alphabetical order. */
export function suggestValues(visits: readonly Visit[], name: FilterName): string[] {
  const field = FIELDS[name];
  if (field === undefined) return [];
  const values = visits.map(field).filter((value) => value != null && value !== '');
  return [...new Set(values.map(String))].toSorted().slice(0, MAX_SUGGESTIONS);
}
