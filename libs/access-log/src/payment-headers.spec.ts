import * as payments from '#libs/payments';
import { customFormat } from './directives/custom-format.js';
import { iis } from './formats/iis.js';
import { LogParser } from './log-parser.js';
import { logRecord, readLogRecord } from './opentelemetry.js';
import { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from './payment-header-names.js';

const REQUEST = { 'crawler-max-price': 'USD 0.01' };
const RESPONSE = { 'crawler-price': 'USD 0.02', 'payment-required': 'eyJ4NDAyVmVyc2lvbiI6Mn0=', location: '/pay' };
const TIME = '2026-11-24T10:00:00Z';
const EXPECTED = { line: expect.objectContaining({ headers: REQUEST, responseHeaders: RESPONSE, path: '/a' }) };

const rename = (headers: object, toName: (name: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [toName(name), value]));
const toVariable = (name: string): string => name.replaceAll('-', '_');
const capitalize = (name: string): string => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

it.each<[string, object]>([
  [
    'Caddy',
    {
      ts: 1795514400,
      request: { remote_ip: '192.0.2.1', method: 'GET', uri: '/a', headers: { 'Crawler-Max-Price': ['USD 0.01'] } },
      status: 402,
      resp_headers: { Server: ['Caddy'], ...Object.fromEntries(Object.entries(RESPONSE).map(([n, v]) => [n, [v]])) },
    },
  ],
  [
    'Cloudflare Logpush',
    {
      ClientIP: '192.0.2.1',
      ClientRequestMethod: 'GET',
      ClientRequestURI: '/a',
      EdgeStartTimestamp: TIME,
      RequestHeaders: REQUEST,
      ResponseHeaders: { ...RESPONSE, server: 'cloudflare' },
    },
  ],
  [
    'Traefik',
    {
      ClientAddr: '192.0.2.1:5',
      RequestMethod: 'GET',
      RequestPath: '/a',
      DownstreamStatus: 402,
      StartUTC: TIME,
      ...rename(REQUEST, (name) => `request_${capitalize(name)}`),
      ...rename(RESPONSE, (name) => `downstream_${capitalize(name)}`),
    },
  ],
  [
    'Envoy',
    {
      start_time: TIME,
      method: 'GET',
      path: '/a',
      response_code: 402,
      downstream_remote_address: '192.0.2.1:5',
      ...REQUEST,
      ...rename(RESPONSE, (name) => (name === 'location' ? 'response_location' : name)),
    },
  ],
  [
    'Fastly',
    {
      timestamp: TIME,
      client_ip: '192.0.2.1',
      request_method: 'GET',
      url: '/a',
      time_elapsed: 1,
      ...rename(REQUEST, toVariable),
      ...rename(RESPONSE, (name) => `response_${toVariable(name)}`),
    },
  ],
  [
    'nginx, JSON',
    {
      time_iso8601: TIME,
      remote_addr: '192.0.2.1',
      request_method: 'GET',
      request_uri: '/a',
      location: 'Frankfurt',
      ...rename(REQUEST, (name) => `http_${toVariable(name)}`),
      ...rename(RESPONSE, (name) => `sent_http_${toVariable(name)}`),
    },
  ],
])('reads payment headers from a log by %s', (_, entry) => {
  expect(new LogParser().read(JSON.stringify(entry))).toEqual(EXPECTED);
});

it.each([
  [
    'nginx',
    '$remote_addr [$time_iso8601] "$request" "$http_crawler_max_price" "$sent_http_crawler_price" "$sent_http_payment_required" "$sent_http_location"',
    `192.0.2.1 [${TIME}] "GET /a HTTP/1.1" "USD 0.01" "USD 0.02" "eyJ4NDAyVmVyc2lvbiI6Mn0=" "/pay"`,
  ],
  [
    'Apache',
    String.raw`%a %t "%r" "%{Crawler-Max-Price}i" "%{Crawler-Price}o" "%{PAYMENT-REQUIRED}o" "%{Location}o"`,
    '192.0.2.1 [24/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" "USD 0.01" "USD 0.02" "eyJ4NDAyVmVyc2lvbiI6Mn0=" "/pay"',
  ],
])('reads payment headers from a custom format of %s', (_, directive, text) => {
  expect(new LogParser(customFormat(directive)).read(text)).toEqual(EXPECTED);
});

it('reads payment headers from custom fields of IIS', () => {
  const read = iis.open();
  const names = [...Object.keys(REQUEST), ...Object.keys(RESPONSE)].join(' ');
  read(`#Fields: date time c-ip cs-method cs-uri-stem sc-status ${names}`, true);
  const values = Object.values({ ...REQUEST, ...RESPONSE }).map((value) => value.replace(' ', '+'));
  expect(read(`2026-11-24 10:00:00 192.0.2.1 GET /a 402 ${values.join(' ')}`, true)).toEqual({
    line: expect.objectContaining({ headers: REQUEST, responseHeaders: { ...RESPONSE, 'crawler-price': 'USD+0.02' } }),
  });
});

it('reads payment headers from an OpenTelemetry log record', () => {
  const attributes = {
    'http.request.method': 'GET',
    'url.path': '/a',
    'network.peer.address': '192.0.2.1',
    ...rename(REQUEST, (name) => `http.request.header.${name}`),
    ...rename({ ...RESPONSE, server: 'x' }, (name) => `http.response.header.${name}`),
  };
  const record = logRecord({
    timeUnixNano: '1795514400000000000',
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  });
  expect(readLogRecord(record)).toEqual(EXPECTED);
});

it('knows all headers of payments', () => {
  expect([...PAYMENT_REQUEST_HEADERS, 'authorization']).toEqual(payments.PAYMENT_REQUEST_HEADERS);
  expect(PAYMENT_RESPONSE_HEADERS).toEqual(payments.PAYMENT_RESPONSE_HEADERS);
});
