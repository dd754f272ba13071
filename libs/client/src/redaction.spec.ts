import { REDACTED_HEADER_VALUES, REDACTED_PATHS, REDACTED_PAYMENTS } from '../../../test/clients/redaction-cases.js';
import { Redactor } from './redaction.js';
import type { Visit } from './types.js';

const redactor = new Redactor(['X-Internal-Note']);

it('redacts credentials in headers, paths and commerce bodies', () => {
  const visit: Visit = {
    request_path: '/reset?lang=en&token=abc&api_key=def&flag#x',
    request_method: 'GET',
    request_headers: {
      authorization: 'Bearer abc',
      Cookie: 'a=b',
      'x-api-key': 'abc',
      X_INTERNAL_NOTE: 'abc',
      'user-agent': 'GPTBot/1.2',
      'signature-input': 'sig1=("@authority")',
      signature: 'sig1=:abc:',
      'signature-agent': '"https://a.example"',
      'x-forwarded-for': '203.0.113.7',
      accept: undefined,
    },
    response_headers: { 'set-cookie': ['a=b', 'c=d'], 'content-type': 'text/html' },
    acp_response_body: {
      id: 'cs_1',
      payment_method: { number: '4242', kind: 'card' },
      items: [{ token: 'abc', n: 1 }],
    },
    ucp_response_body: { id: 'c_1', session: { secret: 'abc' } },
  };
  const original = structuredClone(visit);
  expect(redactor.redactVisit(visit)).toEqual({
    request_path: '/reset?lang=en&token=[redacted]&api_key=[redacted]&flag#x',
    request_method: 'GET',
    request_headers: {
      ...visit.request_headers,
      authorization: '[redacted]',
      Cookie: '[redacted]',
      'x-api-key': '[redacted]',
      X_INTERNAL_NOTE: '[redacted]',
    },
    response_headers: { 'set-cookie': '[redacted]', 'content-type': 'text/html' },
    acp_response_body: {
      id: 'cs_1',
      payment_method: { number: '[redacted]', kind: 'card' },
      items: [{ token: '[redacted]', n: 1 }],
    },
    ucp_response_body: { id: 'c_1', session: '[redacted]' },
  });
  expect(visit).toEqual(original);
});

it('redacts URL parameters with percent-encoded names', () => {
  const { request_path: path, request_headers: headers } = redactor.redactVisit({
    request_path: '/a?%74oken=abc&x;pass%77ord=def&%zz=1&code=ghi',
    request_method: 'GET',
    request_headers: {
      referer: 'https://shop.example/reset?lang=en&token=abc#access_token=def',
      'signature-input': 'sig1=("@path");tag="web?token=abc"',
      'user-agent': 'GPTBot/1.2; token=abc',
    },
  });
  expect(path).toBe('/a?%74oken=[redacted]&x;pass%77ord=[redacted]&%zz=1&code=[redacted]');
  expect(headers).toEqual({
    referer: 'https://shop.example/reset?lang=en&token=[redacted]#access_token=[redacted]',
    'signature-input': 'sig1=("@path");tag="web?token=abc"',
    'user-agent': 'GPTBot/1.2; token=abc',
  });
});

it.each(REDACTED_PATHS)('redacts the path %j to %j', (path, redacted) =>
  expect(redactor.redactVisit({ request_path: path, request_method: 'GET', request_headers: {} }).request_path).toBe(
    redacted,
  ),
);

it.each(REDACTED_HEADER_VALUES)('redacts the header value %j to %j', (value, redacted) =>
  expect(redactor.redactHeaders({ 'x-a': value })).toEqual({ 'x-a': redacted }),
);

it.each(REDACTED_PAYMENTS)('redacts the payment header %s: %j to %j', (name, value, redacted) =>
  expect(redactor.redactHeaders({ [name]: value })).toEqual({ [name]: redacted }),
);

it('redacts everything below the maximum nesting depth', () => {
  let body: object = { cvc: '123' };
  for (let depth = 0; depth < 100_000; depth += 1) body = { body };
  const redacted = redactor.redactVisit({
    request_path: '/',
    request_method: 'GET',
    request_headers: {},
    acp_response_body: body,
  });
  expect(JSON.stringify(redacted)).not.toContain('123');
});
