import { protocolFields, protocolOf } from './protocols.js';
import type { PlainRequest } from './requests.js';
import type { HeaderMap } from './types.js';

const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const request = (headers: HeaderMap, path = '/mcp', method = 'POST'): PlainRequest => ({
  request_path: path,
  request_method: method,
  request_headers: headers,
});

const fields = (call: unknown, answer: unknown, headers: HeaderMap = {}) =>
  protocolFields('mcp', request({ ...MCP, ...headers }), call, {
    contentType: 'application/json',
    text: JSON.stringify(answer),
  });

const call = (params: object, method = 'tools/call') => ({ jsonrpc: '2.0', id: 1, method, params });
const answer = (result: object) => ({ jsonrpc: '2.0', id: 1, result });

it.each([
  ['mcp', request(MCP)],
  ['mcp', request({ 'content-type': 'application/json', 'mcp-protocol-version': '2025-06-18' })],
  ['mcp', request({ ...MCP, 'ucp-agent': 'profile="https://a.example"' })],
  ['ucp', request({ 'ucp-agent': 'profile="https://a.example"' }, '/checkout-sessions/1', 'GET')],
  ['acp', request({ 'api-version': '2026-01-30' }, '/shop/checkout_sessions/1')],
  [null, request({ 'api-version': '2026-01-30' }, '/internal')],
  [null, request({ 'content-type': 'application/json', accept: 'application/json' })],
  [null, request({ accept: 'text/event-stream' }, '/news', 'GET')],
])('knows %s by headers and path', (protocol, given) => {
  expect(protocolOf(given)).toBe(protocol);
});

describe('MCP', () => {
  it('says the tool, and whether it failed', () => {
    expect(fields(call({ name: 'search', arguments: {} }), answer({ isError: true, content: [] }))).toEqual({
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: true,
    });
  });

  it.each([
    ['initialize', { clientInfo: { name: 'claude', version: '1.2' } }],
    ['tools/list', { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude', version: '1.2' } } }],
  ])('says the client of %s', (method, params) => {
    expect(fields(call(params, method), answer({}))).toEqual({
      mcp_request_method: method,
      mcp_request_client_info_name: 'claude',
      mcp_request_client_info_version: '1.2',
    });
  });

  it('says what went wrong', () => {
    expect(
      fields(call({ name: 'no such tool' }), { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'Unknown' } }),
    ).toMatchObject({ mcp_response_error_code: -32_602, mcp_response_error_message: 'Unknown' });
  });

  it('finds the answer in a stream of events, after messages of the server', () => {
    const text =
      'event: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\r\n\r\n' +
      'data: {"jsonrpc":"2.0","id":9,"method":"sampling/createMessage"}\r\n\r\n' +
      ': comment\r\n\r\ndata: {"jsonrpc":"2.0","id":1,\r\ndata: "result":{"isError":false}}\r\n\r\n';
    const said = protocolFields('mcp', request(MCP), call({ name: 'search' }), {
      contentType: 'text/event-stream',
      text,
    });
    expect(said).toMatchObject({ mcp_response_result_is_error: false });
  });

  it('takes the first call of several', () => {
    const calls = [{ jsonrpc: '2.0', id: 0, result: {} }, call({ name: 'search' }), call({ name: 'other' })];
    expect(fields(calls, [answer({ isError: false })])).toMatchObject({
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: false,
    });
  });

  it.each([null, 'text', 1, [], {}, { method: 'tools/call' }, { jsonrpc: '2.0', method: 1 }, { jsonrpc: '2.0' }])(
    'says nothing of %j',
    (body) => {
      expect(fields(body, answer({}))).toEqual({});
    },
  );

  it('says only what is of the right type', () => {
    const odd = call({ name: 1, clientInfo: 'x', _meta: [], arguments: 'y' });
    expect(JSON.parse(JSON.stringify(fields(odd, { jsonrpc: '2.0', id: 1, result: 1, error: { code: 'x' } })))).toEqual(
      {
        mcp_request_method: 'tools/call',
      },
    );
  });
});

describe('commerce', () => {
  const checkout = { id: 'c_1', status: 'incomplete', currency: 'EUR', totals: [] };

  it.each([
    ['a header', call({ name: 'create_checkout' }), { 'ucp-agent': 'profile="https://a.example"' }],
    ['its arguments', call({ name: 'create_checkout', arguments: { meta: { 'ucp-agent': { profile: '' } } } }), {}],
    ['its _meta', call({ name: 'create_checkout', _meta: { ucp: { profile: '' } } }), {}],
  ])('UCP over MCP by %s', (_, body, headers) => {
    expect(fields(body, answer({ structuredContent: checkout }), headers)).toMatchObject({
      ucp_response_body: checkout,
    });
  });

  it('UCP over MCP by its answer', () => {
    const structuredContent = { ...checkout, ucp: { version: '2026-08-25' } };
    expect(fields(call({ name: 'create_checkout' }), answer({ structuredContent }))).toMatchObject({
      ucp_response_body: structuredContent,
    });
  });

  it('ACP over MCP is the result itself', () => {
    const body = call({ name: 'create_checkout_session', arguments: { meta: { api_version: '2026-01-30' } } });
    expect(fields(body, answer(checkout))).toMatchObject({ acp_response_body: checkout });
  });

  it('other tools are not of a shop', () => {
    const said = fields(call({ name: 'search' }), answer({ structuredContent: checkout }));
    expect(said).not.toHaveProperty('ucp_response_body');
    expect(said).not.toHaveProperty('acp_response_body');
  });

  it.each(['acp', 'ucp'] as const)('%s over HTTP is the response', (protocol) => {
    const read = (text: string) =>
      protocolFields(protocol, request({}), undefined, { contentType: 'application/json', text });
    expect(read(JSON.stringify(checkout))).toEqual({ [`${protocol}_response_body`]: checkout });
    expect(read('[1]')).toEqual({});
    expect(read('<html>')).toEqual({});
  });
});
