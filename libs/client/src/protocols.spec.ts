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
  ['mcp', request({ 'content-type': 'application/json', accept: 'application/json' })],
  ['mcp', request({ 'content-type': 'Application/JSON; charset=utf-8' })],
  ['ucp', request({ 'content-type': 'application/json', 'ucp-agent': 'profile="https://a.example"' })],
  ['acp', request({ 'content-type': 'application/json', 'api-version': '2026-01-30' }, '/checkout_sessions')],
  [null, request({ 'content-type': 'text/plain', accept: '*/*' })],
  [null, request({ accept: 'text/event-stream' }, '/news', 'GET')],
])('detects %s by headers and path', (protocol, given) => {
  expect(protocolOf(given)).toBe(protocol);
});

describe('MCP', () => {
  it('returns the tool and whether it failed', () => {
    expect(fields(call({ name: 'search', arguments: {} }), answer({ isError: true, content: [] }))).toEqual({
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: true,
    });
  });

  it.each([
    ['initialize', { clientInfo: { name: 'claude', version: '1.2' } }],
    ['tools/list', { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude', version: '1.2' } } }],
  ])('returns the client of %s', (method, params) => {
    expect(fields(call(params, method), answer({}))).toEqual({
      mcp_request_method: method,
      mcp_request_client_info_name: 'claude',
      mcp_request_client_info_version: '1.2',
    });
  });

  it('returns the error code and message', () => {
    expect(
      fields(call({ name: 'no such tool' }), { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'Unknown' } }),
    ).toMatchObject({ mcp_response_error_code: -32_602, mcp_response_error_message: 'Unknown' });
  });

  it('finds the response in an event stream after server messages', () => {
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

  it('uses the first call of a batch', () => {
    const calls = [{ jsonrpc: '2.0', id: 0, result: {} }, call({ name: 'search' }), call({ name: 'other' })];
    expect(fields(calls, [answer({ isError: false })])).toMatchObject({
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: false,
    });
  });

  const oneCall = call({ name: 'search' });
  const accepting = (accept?: string): PlainRequest =>
    request({ 'content-type': 'application/json', ...(accept !== undefined && { accept }) });
  const noResponse = { contentType: '', text: '' };

  it.each([undefined, '*/*', 'application/json', 'text/html', 'application/json;q=1, TEXT/EVENT-STREAM;q=0.1'])(
    'recognizes a call whose Accept is %s',
    (accept) => {
      expect(protocolFields('mcp', accepting(accept), oneCall, noResponse)).toMatchObject({
        mcp_request_method: 'tools/call',
        mcp_request_tool_name: 'search',
      });
    },
  );

  it.each(['initialize', 'ping', 'prompts/get', 'resources/read', 'notifications/initialized', 'server/discover'])(
    'recognizes %s without MCP headers',
    (method) => {
      expect(protocolFields('mcp', accepting('*/*'), call({}, method), noResponse)).toMatchObject({
        mcp_request_method: method,
      });
    },
  );

  it.each(['eth_blockNumber', 'message/send', 'tasks/get', 'execute_kw', 'toolset/call', 'tools/'])(
    'ignores %s of another JSON-RPC interface',
    (method) => {
      expect(protocolFields('mcp', accepting('application/json'), call({}, method), noResponse)).toEqual({});
    },
  );

  it.each([
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-session-id', 'a'],
    ['mcp-method', 'tasks/get'],
  ])('recognizes any method by the header %s', (name, value) => {
    const headers = { 'content-type': 'application/json', [name]: value };
    expect(protocolFields('mcp', request(headers), call({}, 'tasks/get'), noResponse)).toMatchObject({
      mcp_request_method: 'tasks/get',
    });
  });

  it.each(['prompts/get', 'completion/complete', 'resources/read', 'initialize'])(
    'does not treat a name in %s as a tool',
    (method) => {
      expect(fields(call({ name: 'greeting' }, method), answer({})).mcp_request_tool_name).toBeUndefined();
    },
  );

  it.each([
    ['null', null],
    ['"server-error"', 'server-error'],
    ['no', undefined],
  ])('finds an error with %s ID', (_, id) => {
    const error = { code: -32_600, message: 'Not Acceptable' };
    const found = { mcp_response_error_code: -32_600, mcp_response_error_message: 'Not Acceptable' };
    expect(fields(oneCall, { jsonrpc: '2.0', id, error })).toMatchObject(found);
    expect(fields(oneCall, [{ jsonrpc: '2.0', id, error }])).toMatchObject(found);
    expect(fields(call({}, 'notifications/initialized'), { jsonrpc: '2.0', id, error })).toMatchObject(found);
  });

  it('prefers the response to the call to an error about no request', () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };
    const said = fields(oneCall, [error, answer({ isError: false })]);
    expect(said).toMatchObject({ mcp_response_result_is_error: false });
    expect(said.mcp_response_error_code).toBeUndefined();
  });

  it('matches a response ID returned as a string, but not the ID of another call', () => {
    expect(fields(oneCall, { jsonrpc: '2.0', id: '1', result: { isError: true } })).toMatchObject({
      mcp_response_result_is_error: true,
    });
    const others = fields(oneCall, { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'of another' } });
    expect(others.mcp_response_error_code).toBeUndefined();
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a response', { jsonrpc: '2.0', id: 9, result: {} }],
    ['something else', 'text'],
  ])('returns the first request of a batch that begins with %s', (_, first) => {
    const answers = [{ jsonrpc: '2.0', id: 2, result: { isError: true } }, answer({ isError: false })];
    const other = { ...call({ name: 'other' }), id: 2 };
    expect(fields([first, oneCall, other], answers)).toMatchObject({
      mcp_request_tool_name: 'search',
      mcp_response_result_is_error: false,
    });
  });

  it('returns the first method of a batch of notifications', () => {
    const batch = ['notifications/initialized', 'notifications/cancelled'].map((method) => ({
      jsonrpc: '2.0',
      method,
    }));
    expect(fields(batch, {})).toMatchObject({ mcp_request_method: 'notifications/initialized' });
  });

  it('returns nothing for a response from the client', () => {
    expect(fields({ jsonrpc: '2.0', id: 1, result: { name: 'search', isError: true } }, {})).toEqual({});
  });

  it.each([
    ['CR', '\r'],
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('parses events whose lines end with %s', (_, end) => {
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
      protocolFields('mcp', request(MCP), oneCall, { contentType: 'Text/Event-Stream; charset=utf-8', text }),
    ).toMatchObject({ mcp_response_result_is_error: true });
  });

  it('parses events with mixed line endings', () => {
    const text =
      'data: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\n' +
      'data: {"jsonrpc":"2.0","id":1,\rdata: "result":{"isError":true}}\n\r\ndata: {}\r\r';
    expect(protocolFields('mcp', request(MCP), oneCall, { contentType: 'text/event-stream', text })).toMatchObject({
      mcp_response_result_is_error: true,
    });
  });

  it('parses the last event of a stream that broke off', () => {
    const text = 'data: {"jsonrpc":"2.0","id":1,"result":{"isError":true}}';
    expect(protocolFields('mcp', request(MCP), oneCall, { contentType: 'text/event-stream', text })).toMatchObject({
      mcp_response_result_is_error: true,
    });
  });

  it.each([null, 'text', 1, [], {}, { method: 'tools/call' }, { jsonrpc: '2.0', method: 1 }, { jsonrpc: '2.0' }])(
    'returns nothing for %j',
    (body) => {
      expect(fields(body, answer({}))).toEqual({});
    },
  );

  it('omits fields of the wrong type', () => {
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
  ])('recognizes UCP over MCP by %s', (_, body, headers) => {
    expect(fields(body, answer({ structuredContent: checkout }), headers)).toMatchObject({
      ucp_response_body: checkout,
    });
  });

  it('recognizes UCP over MCP by its response', () => {
    const structuredContent = { ...checkout, ucp: { version: '2026-08-25' } };
    expect(fields(call({ name: 'create_checkout' }), answer({ structuredContent }))).toMatchObject({
      ucp_response_body: structuredContent,
    });
  });

  it('uses the MCP result as the ACP body', () => {
    const body = call({ name: 'create_checkout_session', arguments: { meta: { api_version: '2026-01-30' } } });
    expect(fields(body, answer(checkout))).toMatchObject({ acp_response_body: checkout });
  });

  it('returns no commerce body for other tools', () => {
    const said = fields(call({ name: 'search' }), answer({ structuredContent: checkout }));
    expect(said).not.toHaveProperty('ucp_response_body');
    expect(said).not.toHaveProperty('acp_response_body');
  });

  it('recognizes UCP over MCP with any Accept header', () => {
    const headers = { 'content-type': 'application/json', 'ucp-agent': 'profile="https://a.example"', accept: '*/*' };
    const text = JSON.stringify(answer({ structuredContent: checkout }));
    const said = protocolFields('ucp', request(headers), call({ name: 'create_checkout' }), {
      contentType: 'application/json',
      text,
    });
    expect(said).toMatchObject({ mcp_request_tool_name: 'create_checkout', ucp_response_body: checkout });
  });

  it.each(['acp', 'ucp'] as const)('uses the response as the %s body over HTTP', (protocol) => {
    const read = (text: string) =>
      protocolFields(protocol, request({}), undefined, { contentType: 'application/json', text });
    expect(read(JSON.stringify(checkout))).toEqual({ [`${protocol}_response_body`]: checkout });
    expect(read('[1]')).toEqual({});
    expect(read('<html>')).toEqual({});
  });
});
