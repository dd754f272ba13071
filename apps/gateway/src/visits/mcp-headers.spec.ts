import type { Visit } from '#libs/contracts';
import { addMcpFields } from './mcp-headers.js';

const HEADERS = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'get_weather' };

function getFields(request_headers: Visit['request_headers'], fields: Partial<Visit> = {}): Record<string, unknown> {
  const visit = { request_path: '/mcp', request_method: 'POST', request_headers, ...fields } as Visit;
  addMcpFields(visit);
  return Object.fromEntries(Object.entries(visit).filter(([name]) => name.startsWith('mcp_')));
}

describe('addMcpFields', () => {
  it('reads the method, name and version from the headers, regardless of their case', () => {
    const fields = {
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: 'get_weather',
      mcp_request_protocol_version: '2026-07-28',
    };
    expect(getFields(HEADERS)).toEqual(fields);
    expect(
      getFields(Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]))),
    ).toEqual(fields);
  });

  it.each([
    ['=?base64?SGVsbG8sIOS4lueVjA==?=', 'Hello, 世界'],
    ['=?base64?IHBhZGRlZCA=?=', ' padded '],
    ['=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=', '=?base64?literal?='],
    ['=?BASE64?SGk=?=', '=?BASE64?SGk=?='],
    ['file:///projects/myapp/config.json', 'file:///projects/myapp/config.json'],
  ])('decodes the name %s', (name, decoded) => {
    expect(getFields({ ...HEADERS, 'Mcp-Name': name })).toMatchObject({ mcp_request_tool_name: decoded });
  });

  it('prefers the body to the headers', () => {
    expect(getFields(HEADERS, { mcp_request_method: 'tools/call', mcp_request_tool_name: 'search' })).toEqual({
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: 'search',
      mcp_request_protocol_version: '2026-07-28',
    });
    expect(getFields(HEADERS, { mcp_request_method: 'tools/list' })).toEqual({
      mcp_request_method: 'tools/list',
      mcp_request_protocol_version: '2026-07-28',
    });
  });

  it('reads the name only of methods that have one', () => {
    expect(getFields({ 'mcp-method': 'tools/list', 'mcp-name': 'search' })).toEqual({
      mcp_request_method: 'tools/list',
    });
  });

  it('recognizes calls by earlier clients, which only send the version', () => {
    expect(getFields({ 'mcp-protocol-version': '2025-11-25' })).toEqual({ mcp_request_protocol_version: '2025-11-25' });
  });

  it("doesn't add fields to other requests", () => {
    expect(getFields({ accept: '*/*' })).toEqual({});
    expect(getFields({ 'mcp-method': '', 'mcp-name': 'search', 'mcp-protocol-version': 'a'.repeat(1_025) })).toEqual(
      {},
    );
    expect(getFields(HEADERS, { request_method: 'GET' })).toEqual({});
  });
});
