import { getHeader, type Visit } from '#libs/contracts';

/** Maximum length of a header value that is copied to a field. Longer values aren't names. */
const MAX_HEADER_LENGTH = 1_024;
/** Methods whose `Mcp-Name` header contains the name of a tool or a prompt, or a resource's URI. */
const NAMED_METHODS = new Set(['tools/call', 'prompts/get', 'resources/read']);
/** Markers around a name that isn't plain ASCII (MCP 2026-07-28, Streamable HTTP, "Value Encoding"). */
const [BASE64_START, BASE64_END] = ['=?base64?', '?='];

/**
 * Adds the MCP fields that the request's headers contain but its body didn't provide, for example because an access log
 * has no bodies. Clients send these headers with every POST request since MCP 2026-07-28, and `MCP-Protocol-Version`
 * since 2025-06-18.
 *
 * Must be called before the visit is redacted, because an encoded name can contain credentials.
 *
 * @returns True if the request has such headers.
 */
export function addMcpFields(visit: Visit): boolean {
  if (visit.request_method !== 'POST') return false;
  const method = getValue(visit, 'mcp-method');
  const version = getValue(visit, 'mcp-protocol-version');
  if (method !== null) {
    visit.mcp_request_method ??= method;
    const name = getValue(visit, 'mcp-name');
    // The name belongs to the method in the headers.
    if (name !== null && visit.mcp_request_method === method && NAMED_METHODS.has(method))
      visit.mcp_request_tool_name ??= decodeMcpHeader(name);
  }
  if (version !== null) visit.mcp_request_protocol_version ??= version;
  return method !== null || version !== null;
}

function getValue({ request_headers: headers }: Visit, name: string): string | null {
  const value = getHeader(headers, name)?.trim() ?? '';
  return value === '' || value.length > MAX_HEADER_LENGTH ? null : value;
}

/** Decodes a header value in MCP's Base64 format. Returns any other text unchanged. */
export function decodeMcpHeader(name: string): string {
  if (!name.startsWith(BASE64_START) || !name.endsWith(BASE64_END)) return name;
  // IIS can't distinguish plus signs from spaces. Base64 has no spaces.
  const encoded = name.slice(BASE64_START.length, -BASE64_END.length).replaceAll(' ', '+');
  return Buffer.from(encoded, 'base64').toString('utf8');
}
