import { logRecord, readLogRecord } from './opentelemetry.js';

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const records = (...of: object[]) => of.map(logRecord);
const TIME = { timeUnixNano: '1795514400250000000' };

it.each([
  [
    'current',
    [
      text('http.request.method', 'GET'),
      text('url.path', '/a'),
      text('url.query', 'b=1'),
      text('client.address', '203.0.113.7'),
      text('server.address', 'shop.example'),
      text('user_agent.original', 'GPTBot/1.2'),
      { key: 'http.response.status_code', value: { intValue: '404' } },
      { key: 'http.server.request.duration', value: { doubleValue: 0.025 } },
      { key: 'http.request.header.signature-agent', value: { arrayValue: { values: [{ stringValue: 'x' }] } } },
    ],
  ],
  [
    'pre-1.21',
    [
      text('http.method', 'GET'),
      text('http.target', '/a?b=1'),
      text('http.client_ip', '203.0.113.7'),
      text('http.host', 'shop.example'),
      text('http.user_agent', 'GPTBot/1.2'),
      { key: 'http.status_code', value: { intValue: 404 } },
      { key: 'http.server.request.duration', value: { stringValue: '0.025' } },
      { key: 'http.request.header.signature_agent', value: { stringValue: 'x' } },
    ],
  ],
])('reads %s semantic conventions', (_, attributes) => {
  expect(records({ ...TIME, attributes }).map(readLogRecord)).toEqual([
    {
      line: {
        time: '2026-11-24T10:00:00.250Z',
        client: '203.0.113.7',
        method: 'GET',
        path: '/a?b=1',
        host: 'shop.example',
        status: 404,
        durationInMilliseconds: 25,
        userAgent: 'GPTBot/1.2',
        headers: { 'signature-agent': 'x' },
      },
    },
  ]);
});

it('exposes the body of records without HTTP attributes', () => {
  const all = records(
    { ...TIME, body: { stringValue: 'a line' } },
    { observedTimeUnixNano: TIME.timeUnixNano, body: { kvlistValue: { values: [text('log', 'a line')] } } },
    {},
  );
  expect(all).toEqual([
    expect.objectContaining({ message: 'a line' }),
    expect.objectContaining({ log: 'a line' }),
    expect.anything(),
  ]);
  expect(all.map(readLogRecord)).toEqual([null, null, null]);
});

it('uses the peer as the client, because visitors can forge client.address', () => {
  const attributes = [
    text('http.request.method', 'GET'),
    text('url.path', '/a'),
    text('client.address', '66.249.66.1'),
    text('network.peer.address', '203.0.113.7'),
  ];
  expect(records({ ...TIME, attributes }).map(readLogRecord)).toMatchObject([
    { line: { client: '203.0.113.7', forwardedFor: '66.249.66.1' } },
  ]);
});

it('explains which field a request lacks', () => {
  const attributes = [text('http.request.method', 'GET'), text('url.path', '/a')];
  expect(records({ ...TIME, attributes }).map(readLogRecord)).toEqual([{ reason: 'no client address' }]);
});

it.each([null, 1, [], { attributes: 'x' }, { attributes: [null, { key: {} }], body: 1 }])(
  'ignores the malformed record %j',
  (record) => expect(readLogRecord(logRecord(record))).toBeNull(),
);
