import { customFormat } from './directives/custom-format.js';
import { iis } from './formats/iis.js';
import { LogParser } from './log-parser.js';
import { logRecord, readLogRecord } from './opentelemetry.js';

const HEADERS = {
  'mcp-method': 'tools/call',
  'mcp-name': '=?base64?IHBhZGRlZCA=?=',
  'mcp-protocol-version': '2026-07-28',
};
const VALUES = Object.values(HEADERS);
const TIME = '2026-11-24T10:00:00Z';

const rename = (toName: (name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [toName(name), value]));
const toVariable = (name: string): string => name.replaceAll('-', '_');
const quote = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(' ');

it.each<[string, object]>([
  [
    'Caddy',
    {
      ts: 1795514400,
      request: {
        remote_ip: '192.0.2.1',
        method: 'POST',
        uri: '/mcp',
        headers: { 'Mcp-Method': [VALUES[0]], 'Mcp-Name': [VALUES[1]], 'Mcp-Protocol-Version': [VALUES[2]] },
      },
      status: 200,
    },
  ],
  [
    'Cloudflare Logpush',
    {
      ClientIP: '192.0.2.1',
      ClientRequestMethod: 'POST',
      ClientRequestURI: '/mcp',
      EdgeStartTimestamp: TIME,
      RequestHeaders: HEADERS,
    },
  ],
  [
    'Traefik',
    {
      ClientAddr: '192.0.2.1:5',
      RequestMethod: 'POST',
      RequestPath: '/mcp',
      DownstreamStatus: 200,
      StartUTC: TIME,
      ...rename((name) => `request_${name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}`),
    },
  ],
  [
    'Envoy',
    {
      start_time: TIME,
      method: 'POST',
      path: '/mcp',
      response_code: 200,
      downstream_remote_address: '192.0.2.1:5',
      ...HEADERS,
    },
  ],
  [
    'Fastly',
    {
      timestamp: TIME,
      client_ip: '192.0.2.1',
      request_method: 'POST',
      url: '/mcp',
      time_elapsed: 1,
      ...rename(toVariable),
    },
  ],
  [
    'nginx, JSON',
    {
      time_iso8601: TIME,
      remote_addr: '192.0.2.1',
      request_method: 'POST',
      request_uri: '/mcp',
      ...rename((name) => `http_${toVariable(name)}`),
    },
  ],
  [
    'nginx, JSON with other keys',
    {
      time_iso8601: TIME,
      remote_addr: '192.0.2.1',
      request_method: 'POST',
      request_uri: '/mcp',
      ...rename((name) => `req_${toVariable(name)}`),
    },
  ],
])('reads the headers of MCP calls from a log by %s', (_, entry) => {
  expect(new LogParser().read(JSON.stringify(entry))).toEqual({
    line: expect.objectContaining({ headers: HEADERS, method: 'POST', path: '/mcp' }),
  });
});

it.each([
  [
    'nginx',
    '$remote_addr [$time_iso8601] "$request" "$http_mcp_method" "$http_mcp_name" "$http_mcp_protocol_version"',
    `192.0.2.1 [${TIME}] "POST /mcp HTTP/1.1" ${quote(VALUES)}`,
  ],
  [
    'Apache',
    String.raw`%a %t "%r" "%{Mcp-Method}i" "%{Mcp-Name}i" "%{MCP-Protocol-Version}i"`,
    `192.0.2.1 [24/Nov/2026:10:00:00 +0000] "POST /mcp HTTP/1.1" ${quote(VALUES)}`,
  ],
])('reads the headers of MCP calls from a custom format of %s', (_, directive, text) => {
  expect(new LogParser(customFormat(directive)).read(text)).toEqual({
    line: expect.objectContaining({ headers: HEADERS }),
  });
});

it('reads the headers of MCP calls from custom fields of IIS', () => {
  const read = iis.open();
  read(`#Fields: date time c-ip cs-method cs-uri-stem sc-status ${Object.keys(HEADERS).join(' ')}`, true);
  expect(read(`2026-11-24 10:00:00 192.0.2.1 POST /mcp 200 ${VALUES.join(' ')}`, true)).toEqual({
    line: expect.objectContaining({ headers: HEADERS }),
  });
});

it('reads the headers of MCP calls from an OpenTelemetry log record', () => {
  const attributes = {
    'http.request.method': 'POST',
    'url.path': '/mcp',
    'network.peer.address': '192.0.2.1',
    ...rename((name) => `http.request.header.${name}`),
  };
  const record = logRecord({
    timeUnixNano: '1795514400000000000',
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  });
  expect(readLogRecord(record)).toEqual({ line: expect.objectContaining({ headers: HEADERS }) });
});
