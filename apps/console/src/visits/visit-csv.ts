import type { HeaderValue, TimelineVisit } from '#libs/contracts';
import { formatCsvLine, type CsvCell } from '#libs/csv';

/**
 * Columns and their values. Add new columns at the end and never reorder them, so existing imports continue to work.
 */
const COLUMNS: Record<string, (visit: TimelineVisit) => CsvCell> = {
  id: ({ id }) => id,
  occurred_at: (visit) => visit.occurred_at,
  received_at: (visit) => visit.received_at,
  client_address: (visit) => visit.client_address,
  result: ({ identification }) => identification.result,
  agent_token: ({ identification }) => identification.agent_token,
  agent_type_name: ({ identification }) => identification.agent_type_name,
  operator_name: ({ identification }) => identification.operator_name,
  verification_method: ({ identification }) => identification.method,
  reason: ({ identification }) => identification.reason,
  request_method: ({ visit }) => visit.request_method,
  request_path: ({ visit }) => visit.request_path,
  response_status_code: ({ visit }) => visit.response_status_code,
  response_duration_in_milliseconds: ({ visit }) => visit.response_duration_in_milliseconds,
  host: ({ visit }) => getHeader(visit.request_headers, 'host'),
  user_agent: ({ visit }) => getHeader(visit.request_headers, 'user-agent'),
  referer: ({ visit }) => getHeader(visit.request_headers, 'referer'),
  mcp_request_method: ({ visit }) => visit.mcp_request_method,
  mcp_request_tool_name: ({ visit }) => visit.mcp_request_tool_name,
  client_network_prefix: ({ client_network: network }) => network?.prefix,
  client_network_as_number: ({ client_network: network }) => network?.as_number,
  client_network_operator_name: ({ client_network: network }) => network?.operator_name,
  client_network_country_code: ({ client_network: network }) => network?.country_code,
  response_size_in_bytes: ({ visit }) => visit.response_size_in_bytes,
  response_size_type: ({ visit }) => visit.response_size_type,
  response_cache: ({ visit }) => visit.response_cache,
};

export const CSV_HEADER = formatCsvLine(Object.keys(COLUMNS));

export const toCsvLine = (visit: TimelineVisit): string =>
  formatCsvLine(Object.values(COLUMNS).map((read) => read(visit)));

/** Returns a header's value. Names are case-insensitive. Multiple values are joined with commas, as in HTTP. */
function getHeader(headers: Record<string, HeaderValue>, name: string): string | undefined {
  const values = Object.entries(headers)
    .filter(([key, value]) => key.toLowerCase() === name && value !== null)
    .flatMap(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
