import { extractProtocolFields, detectProtocol } from './protocols.js';
import type { PlainRequest } from './requests.js';
import type { HeaderMap } from './types.js';

const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const request = (headers: HeaderMap, path = '/mcp', method = 'POST'): PlainRequest => ({
  request_path: path,
  request_method: method,
  request_headers: headers,
});

const extractFields = (call: unknown, answer: unknown, headers: HeaderMap = {}) =>
  extractProtocolFields('mcp', request({ ...MCP, ...headers }), call, {
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
  ['mcp', request({ 'content-type': 'application/json', accept: 'application/json' })],
  ['mcp', request({ 'content-type': 'Application/JSON; charset=utf-8' })],
  ['ucp', request({ 'content-type': 'application/json', 'ucp-agent': 'profile="https://a.example"' })],
  ['acp', request({ 'content-type': 'application/json', 'api-version': '2026-01-30' }, '/checkout_sessions')],
  [null, request({ 'content-type': 'text/plain', accept: '*/*' })],
  [null, request({ accept: 'text/event-stream' }, '/news', 'GET')],
])('detects %s from the headers and path', (protocol, incoming) => {
  expect(detectProtocol(incoming)).toBe(protocol);
});

describe('MCP', () => {
  it('extracts the tool name and error flag', () => {
    expect(extractFields(call({ name: 'search', arguments: {} }), answer({ isError: true, content: [] }))).toEqual({
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: true,
    });
  });

  it.each([
    ['initialize', { clientInfo: { name: 'claude', version: '1.2' } }],
    ['tools/list', { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude', version: '1.2' } } }],
  ])('extracts client info from a %s request', (method, params) => {
    expect(extractFields(call(params, method), answer({}))).toEqual({
      mcp_request_method: method,
      mcp_request_client_info_name: 'claude',
      mcp_request_client_info_version: '1.2',
    });
  });

  it('extracts the error code and message', () => {
    expect(
      extractFields(call({ name: 'no such tool' }), {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32_602, message: 'Unknown' },
      }),
    ).toMatchObject({ mcp_response_error_code: -32_602, mcp_response_error_message: 'Unknown' });
  });

  it('skips server messages before the response in an event stream', () => {
    const text =
      'event: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\r\n\r\n' +
      'data: {"jsonrpc":"2.0","id":9,"method":"sampling/createMessage"}\r\n\r\n' +
      ': comment\r\n\r\ndata: {"jsonrpc":"2.0","id":1,\r\ndata: "result":{"isError":false}}\r\n\r\n';
    const extracted = extractProtocolFields('mcp', request(MCP), call({ name: 'search' }), {
      contentType: 'text/event-stream',
      text,
    });
    expect(extracted).toMatchObject({ mcp_response_result_is_error: false });
  });

  it('uses the first call in a batch', () => {
    const calls = [{ jsonrpc: '2.0', id: 0, result: {} }, call({ name: 'search' }), call({ name: 'other' })];
    expect(extractFields(calls, [answer({ isError: false })])).toMatchObject({
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: false,
    });
  });

  const searchCall = call({ name: 'search' });
  const requestAccepting = (accept?: string): PlainRequest =>
    request({ 'content-type': 'application/json', ...(accept !== undefined && { accept }) });
  const noResponse = { contentType: '', text: '' };

  it.each([undefined, '*/*', 'application/json', 'text/html', 'application/json;q=1, TEXT/EVENT-STREAM;q=0.1'])(
    'recognizes a call whose Accept header is %s',
    (accept) => {
      expect(extractProtocolFields('mcp', requestAccepting(accept), searchCall, noResponse)).toMatchObject({
        mcp_request_method: 'tools/call',
        mcp_request_tool_name: 'search',
      });
    },
  );

  it.each(['initialize', 'ping', 'prompts/get', 'resources/read', 'notifications/initialized', 'server/discover'])(
    'recognizes %s without MCP headers',
    (method) => {
      expect(extractProtocolFields('mcp', requestAccepting('*/*'), call({}, method), noResponse)).toMatchObject({
        mcp_request_method: method,
      });
    },
  );

  it.each(['eth_blockNumber', 'message/send', 'tasks/get', 'execute_kw', 'toolset/call', 'tools/'])(
    'ignores the %s method from other JSON-RPC APIs',
    (method) => {
      expect(extractProtocolFields('mcp', requestAccepting('application/json'), call({}, method), noResponse)).toEqual(
        {},
      );
    },
  );

  it.each([
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-session-id', 'a'],
    ['mcp-method', 'tasks/get'],
  ])('recognizes any method if the %s header is set', (name, value) => {
    const headers = { 'content-type': 'application/json', [name]: value };
    expect(extractProtocolFields('mcp', request(headers), call({}, 'tasks/get'), noResponse)).toMatchObject({
      mcp_request_method: 'tasks/get',
    });
  });

  it.each([
    ['prompts/get', { name: 'greeting' }, 'greeting'],
    ['resources/read', { uri: 'file:///a.md', name: 'a' }, 'file:///a.md'],
    ['completion/complete', { name: 'greeting' }, undefined],
    ['initialize', { name: 'greeting' }, undefined],
  ])('extracts the name of a prompt and the URI of a resource, but nothing else (%s)', (method, params, name) => {
    expect(extractFields(call(params, method), answer({})).mcp_request_tool_name).toBe(name);
  });

  it('extracts the protocol version from the body', () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect(extractFields(call({ _meta: meta }, 'tools/list'), answer({}))).toMatchObject({
      mcp_request_protocol_version: '2026-07-28',
    });
    expect(extractFields(call({ protocolVersion: '2025-11-25' }, 'initialize'), answer({}))).toMatchObject({
      mcp_request_protocol_version: '2025-11-25',
    });
  });

  it('extracts the type of a result that requires input', () => {
    expect(extractFields(call({ name: 'search' }), answer({ resultType: 'input_required' }))).toMatchObject({
      mcp_response_result_type: 'input_required',
    });
  });

  it.each([
    ['a null', null],
    ['a "server-error"', 'server-error'],
    ['no', undefined],
  ])('falls back to an error with %s ID', (_, id) => {
    const error = { code: -32_600, message: 'Not Acceptable' };
    const found = { mcp_response_error_code: -32_600, mcp_response_error_message: 'Not Acceptable' };
    expect(extractFields(searchCall, { jsonrpc: '2.0', id, error })).toMatchObject(found);
    expect(extractFields(searchCall, [{ jsonrpc: '2.0', id, error }])).toMatchObject(found);
    expect(extractFields(call({}, 'notifications/initialized'), { jsonrpc: '2.0', id, error })).toMatchObject(found);
  });

  it('prefers the matching response to an error that is not tied to a request', () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };
    const extracted = extractFields(searchCall, [error, answer({ isError: false })]);
    expect(extracted).toMatchObject({ mcp_response_result_is_error: false });
    expect(extracted.mcp_response_error_code).toBeUndefined();
  });

  it('matches a numeric ID returned as a string, but no other ID', () => {
    expect(extractFields(searchCall, { jsonrpc: '2.0', id: '1', result: { isError: true } })).toMatchObject({
      mcp_response_result_is_error: true,
    });
    const otherFields = extractFields(searchCall, { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'Other call' } });
    expect(otherFields.mcp_response_error_code).toBeUndefined();
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a response', { jsonrpc: '2.0', id: 9, result: {} }],
    ['an invalid message', 'text'],
  ])('uses the first request in a batch that starts with %s', (_, first) => {
    const answers = [{ jsonrpc: '2.0', id: 2, result: { isError: true } }, answer({ isError: false })];
    const other = { ...call({ name: 'other' }), id: 2 };
    expect(extractFields([first, searchCall, other], answers)).toMatchObject({
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: false,
    });
  });

  it('uses the first method in a batch of notifications', () => {
    const batch = ['notifications/initialized', 'notifications/cancelled'].map((method) => ({
      jsonrpc: '2.0',
      method,
    }));
    expect(extractFields(batch, {})).toMatchObject({ mcp_request_method: 'notifications/initialized' });
  });

  it('returns no fields for a client response', () => {
    expect(extractFields({ jsonrpc: '2.0', id: 1, result: { name: 'search', isError: true } }, {})).toEqual({});
  });

  it.each([
    ['CR', '\r'],
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('parses an event stream with %s line endings', (_, end) => {
    const lines = [
      ': comment',
      'id: 1',
      'event: message',
      'data: {"jsonrpc":"2.0","method":"notifications/progress"}',
      '',
      'event: message',
      'data:{"jsonrpc":"2.0","id":1,',
      'data: "result":{"isError":true}}',
      '',
      '',
    ];
    const text = lines.join(end);
    expect(
      extractProtocolFields('mcp', request(MCP), searchCall, { contentType: 'Text/Event-Stream; charset=utf-8', text }),
    ).toMatchObject({ mcp_response_result_is_error: true });
  });

  it('parses an event stream with mixed line endings', () => {
    const text =
      'data: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\n' +
      'data: {"jsonrpc":"2.0","id":1,\rdata: "result":{"isError":true}}\n\r\ndata: {}\r\r';
    expect(
      extractProtocolFields('mcp', request(MCP), searchCall, { contentType: 'text/event-stream', text }),
    ).toMatchObject({
      mcp_response_result_is_error: true,
    });
  });

  it('parses the last event in an interrupted stream', () => {
    const text = 'data: {"jsonrpc":"2.0","id":1,"result":{"isError":true}}';
    expect(
      extractProtocolFields('mcp', request(MCP), searchCall, { contentType: 'text/event-stream', text }),
    ).toMatchObject({
      mcp_response_result_is_error: true,
    });
  });

  it.each([null, 'text', 1, [], {}, { method: 'tools/call' }, { jsonrpc: '2.0', method: 1 }, { jsonrpc: '2.0' }])(
    'returns no fields for the body %j',
    (body) => {
      expect(extractFields(body, answer({}))).toEqual({});
    },
  );

  it('omits fields with the wrong type', () => {
    const odd = call({ name: 1, clientInfo: 'x', _meta: [], arguments: 'y' });
    expect(
      JSON.parse(JSON.stringify(extractFields(odd, { jsonrpc: '2.0', id: 1, result: 1, error: { code: 'x' } }))),
    ).toEqual({
      mcp_request_method: 'tools/call',
    });
  });
});

describe('commerce protocols', () => {
  const checkout = { id: 'c_1', status: 'incomplete', currency: 'EUR', totals: [] };

  it.each([
    ['a header', call({ name: 'create_checkout' }), { 'ucp-agent': 'profile="https://a.example"' }],
    [
      'the tool arguments',
      call({ name: 'create_checkout', arguments: { meta: { 'ucp-agent': { profile: '' } } } }),
      {},
    ],
    ['the _meta parameter', call({ name: 'create_checkout', _meta: { ucp: { profile: '' } } }), {}],
  ])('recognizes UCP over MCP from %s', (_, body, headers) => {
    expect(extractFields(body, answer({ structuredContent: checkout }), headers)).toMatchObject({
      ucp_response_body: checkout,
    });
  });

  it('recognizes UCP over MCP from the response', () => {
    const structuredContent = { ...checkout, ucp: { version: '2026-08-25' } };
    expect(extractFields(call({ name: 'create_checkout' }), answer({ structuredContent }))).toMatchObject({
      ucp_response_body: structuredContent,
    });
  });

  it('uses the MCP result as the ACP body', () => {
    const body = call({ name: 'create_checkout_session', arguments: { meta: { api_version: '2026-01-30' } } });
    expect(extractFields(body, answer(checkout))).toMatchObject({ acp_response_body: checkout });
  });

  it('omits commerce bodies for other tools', () => {
    const extracted = extractFields(call({ name: 'search' }), answer({ structuredContent: checkout }));
    expect(extracted).not.toHaveProperty('ucp_response_body');
    expect(extracted).not.toHaveProperty('acp_response_body');
  });

  it('recognizes UCP over MCP regardless of the Accept header', () => {
    const headers = { 'content-type': 'application/json', 'ucp-agent': 'profile="https://a.example"', accept: '*/*' };
    const text = JSON.stringify(answer({ structuredContent: checkout }));
    const extracted = extractProtocolFields('ucp', request(headers), call({ name: 'create_checkout' }), {
      contentType: 'application/json',
      text,
    });
    expect(extracted).toMatchObject({ mcp_request_tool_name: 'create_checkout', ucp_response_body: checkout });
  });

  it.each(['acp', 'ucp'] as const)('uses the HTTP response body as the %s body', (protocol) => {
    const extract = (text: string) =>
      extractProtocolFields(protocol, request({}), undefined, { contentType: 'application/json', text });
    expect(extract(JSON.stringify(checkout))).toEqual({ [`${protocol}_response_body`]: checkout });
    expect(extract('[1]')).toEqual({});
    expect(extract('<html>')).toEqual({});
  });
});
