import type { HeaderValue, TimelineVisit } from '#libs/contracts';

type Cell = string | number | boolean | null | undefined;

/** Columns and where their values are. New ones are added at the end; none is ever moved. */
const COLUMNS: Record<string, (visit: TimelineVisit) => Cell> = {
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
  host: ({ visit }) => header(visit.request_headers, 'host'),
  user_agent: ({ visit }) => header(visit.request_headers, 'user-agent'),
  referer: ({ visit }) => header(visit.request_headers, 'referer'),
  mcp_request_method: ({ visit }) => visit.mcp_request_method,
  mcp_request_tool_name: ({ visit }) => visit.mcp_request_tool_name,
  client_network_prefix: ({ client_network: network }) => network?.prefix,
  client_network_as_number: ({ client_network: network }) => network?.as_number,
  client_network_operator_name: ({ client_network: network }) => network?.operator_name,
  client_network_country_code: ({ client_network: network }) => network?.country_code,
};

const LINE_END = '\r\n';
/** Many spreadsheets start another cell here, even within quotes. */
const SEPARATOR = /([;\t])/;
/** What a spreadsheet may take for the start of a formula, also after spaces and in full width (OWASP, CSV injection). */
const FORMULA = /^[\s"]*[=+\-@\r\n＝＋－＠]/;
/** Not a formula: agents give an address like this in their user agent. */
const ADDRESS = /^ *\+https?:\/\//;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** The header line (RFC 4180). */
export const CSV_HEADER = Object.keys(COLUMNS).join(',') + LINE_END;

/** A visit as a line of CSV. */
export function csvLine(visit: TimelineVisit): string {
  return (
    Object.values(COLUMNS)
      .map((read) => csvCell(read(visit)))
      .join(',') + LINE_END
  );
}

/** Puts an apostrophe before what a spreadsheet would run, even after a semicolon or tab. Numbers stay numbers. */
export function csvCell(value: Cell): string {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value
    .split(SEPARATOR)
    .map((piece) => (FORMULA.test(piece) && !ADDRESS.test(piece) ? `'${piece}` : piece))
    .join('');
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A header's value, its name in any case; several values are joined as HTTP joins them. */
function header(headers: Record<string, HeaderValue>, name: string): string | undefined {
  const values = Object.entries(headers)
    .filter(([key, value]) => key.toLowerCase() === name && value !== null)
    .flatMap(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
