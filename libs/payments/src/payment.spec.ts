import { addAmounts, parseAmount } from './amount.js';
import { getPaymentSigns } from './payment-signs.js';
import { readPayment, type Payment } from './payment.js';
import { REDUCED_PAYMENT_HEADERS, reducePaymentHeader } from './reduce-header.js';

const WALLET = '0xfa3F54AE9C4287CA09a486dfaFaCe7d1d4095d93';
const SIGNATURE = `0x${'5e'.repeat(65)}`;
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
const encodeUrl = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const option = { scheme: 'exact', network: 'eip155:8453', asset: BASE_USDC, amount: '10000', payTo: WALLET };
const V1_OPTION = { scheme: 'exact', network: 'base', asset: BASE_USDC, maxAmountRequired: '20000' };
const REQUIRED = encode({
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: { url: 'https://shop.example/a' },
  accepts: [option, { ...option, network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' }],
});
const V2_PAYMENT = encode({
  x402Version: 2,
  accepted: option,
  payload: { signature: SIGNATURE, authorization: { from: WALLET, to: WALLET, value: '10000', nonce: SIGNATURE } },
});
const V1_PAYMENT = encode({
  x402Version: 1,
  scheme: 'exact',
  network: 'base',
  payload: { signature: SIGNATURE, authorization: { from: WALLET, to: WALLET, value: '10000', nonce: SIGNATURE } },
});
const SETTLED = encode({ success: true, transaction: SIGNATURE, network: 'eip155:8453', payer: WALLET });
const DECLINED = encode({ success: false, errorReason: 'insufficient_funds', transaction: '', payer: WALLET });
const CHALLENGE = `Payment id="${SIGNATURE}", realm="shop.example", method="tempo", intent="charge", request="${encodeUrl(
  {
    amount: '250',
    currency: 'usd',
    recipient: WALLET,
  },
)}"`;
const RECEIPT = encodeUrl({
  status: 'success',
  method: 'tempo',
  timestamp: '2026-11-30T10:00:00Z',
  reference: SIGNATURE,
});

type Headers = Record<string, string | string[]>;
const read = (status: number | null, requestHeaders: Headers, responseHeaders: Headers): Payment | null =>
  readPayment({ status, requestHeaders, responseHeaders }, new Set(['tolls.example']));
const USD = { amount: '0.01', currency: 'USD' };
const USDC = { amount: '0.01', currency: 'USDC' };

const CASES: [string, number | null, Headers, Headers, Partial<Payment>][] = [
  ['a crawler price', 402, {}, { 'crawler-price': 'USD 0.010' }, { scheme: 'crawler', outcome: 'asked', price: USD }],
  [
    'a request without a crawler price',
    402,
    {},
    { 'Crawler-Price': 'usd 0.01', 'crawler-error': 'MissingCrawlerPrice' },
    { scheme: 'crawler', outcome: 'asked', price: USD, error: null },
  ],
  [
    'an exact price that was charged',
    200,
    { 'crawler-exact-price': 'USD 0.01' },
    { 'crawler-charged': 'USD 0.01' },
    { scheme: 'crawler', outcome: 'paid', price: USD },
  ],
  [
    'a maximum price',
    200,
    { 'crawler-max-price': 'USD 0.01' },
    {},
    { scheme: 'crawler', outcome: 'offered', price: USD },
  ],
  [
    'a maximum price that is too low',
    402,
    { 'crawler-max-price': 'USD 0.001' },
    { 'crawler-price': 'USD 0.01', 'crawler-error': 'InvalidCrawlerMaxPrice' },
    { scheme: 'crawler', outcome: 'failed', price: USD, error: 'InvalidCrawlerMaxPrice' },
  ],
  [
    'an x402 v2 price',
    402,
    {},
    { 'PAYMENT-REQUIRED': REQUIRED },
    { scheme: 'x402', outcome: 'asked', price: USDC, alternatives: 1 },
  ],
  [
    'an x402 v2 payment',
    200,
    { 'payment-signature': V2_PAYMENT },
    { 'payment-response': SETTLED },
    { scheme: 'x402', outcome: 'paid', price: USDC },
  ],
  [
    'an x402 v2 payment that was declined',
    402,
    { 'payment-signature': V2_PAYMENT },
    { 'payment-response': DECLINED, 'payment-required': REQUIRED },
    { scheme: 'x402', outcome: 'failed', price: USDC, error: 'insufficient_funds' },
  ],
  [
    'an x402 v1 payment',
    200,
    { 'x-payment': V1_PAYMENT },
    { 'x-payment-response': SETTLED },
    { scheme: 'x402', outcome: 'paid', price: null },
  ],
  [
    'an x402 v1 payment with the only asset on the network',
    402,
    { 'x-payment': V1_PAYMENT },
    { 'x-payment-required': encode({ x402Version: 1, accepts: [V1_OPTION, { ...V1_OPTION, network: 'polygon' }] }) },
    { scheme: 'x402', outcome: 'failed', price: USDC },
  ],
  [
    'a redacted x402 payment',
    200,
    { 'x-payment': '[redacted]' },
    {},
    { scheme: 'x402', outcome: 'offered', price: null },
  ],
  [
    'a payment challenge',
    402,
    {},
    { 'www-authenticate': `Bearer realm="a, Payment b", ${CHALLENGE}` },
    { scheme: 'payment', outcome: 'asked', price: { amount: '2.5', currency: 'USD' } },
  ],
  [
    'a payment with a receipt',
    200,
    { authorization: 'Payment [redacted]' },
    { 'payment-receipt': RECEIPT },
    { scheme: 'payment', outcome: 'paid', price: null },
  ],
  [
    'a missing license',
    401,
    {},
    { 'www-authenticate': 'License error="invalid_request", error_description="Access requires a license"' },
    { scheme: 'license', outcome: 'asked', price: null, error: null },
  ],
  ['an accepted license', 200, { authorization: 'License abc' }, {}, { scheme: 'license', outcome: 'licensed' }],
  [
    'a rejected license',
    401,
    { authorization: 'License abc' },
    { 'www-authenticate': ['License error="invalid_token"'] },
    { scheme: 'license', outcome: 'failed', error: 'invalid_token' },
  ],
  [
    'a payment challenge after another one',
    401,
    {},
    { 'www-authenticate': ['Basic realm="a"', CHALLENGE] },
    { scheme: 'payment', outcome: 'asked' },
  ],
  ['a toll', 302, {}, { location: 'https://Tolls.example/a' }, { scheme: 'toll', outcome: 'asked', price: null }],
  ['status 402', 402, {}, {}, { scheme: 'status', outcome: 'asked', price: null }],
  [
    'the dialect with a price',
    402,
    {},
    { 'www-authenticate': 'License', 'payment-required': REQUIRED },
    { scheme: 'x402' },
  ],
];

describe('readPayment', () => {
  it.each(CASES)('recognizes %s', (_, status, request, response, expected) => {
    expect(read(status, request, response)).toMatchObject(expected);
  });

  it.each(CASES)('reads the same from reduced headers: %s', (_, status, request, response, expected) => {
    expect(read(status, reduce(request), reduce(response))).toMatchObject(expected);
    expect(reduce(reduce(response))).toEqual(reduce(response));
  });

  it.each([
    [200, { authorization: 'Bearer abc' }, { location: '/a' }],
    [401, {}, { 'www-authenticate': 'Basic realm="Payment"' }],
    [302, {}, { location: 'https://shop.example/?to=https://tolls.example/' }],
    [302, {}, { location: 'https://tolls.example@shop.example/' }],
  ])('finds none in %j %j %j', (status, request, response) =>
    expect(read(status, request, response as Headers)).toBeNull(),
  );

  it.each([
    ['usd', '25', { amount: '0.25', currency: 'USD' }],
    ['JPY', '25', { amount: '25', currency: 'JPY' }],
    ['CLF', '25', { amount: '0.0025', currency: 'CLF' }],
    ['sat', '25', { amount: '25', currency: 'lightning/sat' }],
    ['BTC', '25', { amount: '25', currency: 'lightning/BTC' }],
  ])('reads smallest units of %s', (currency, amount, price) => {
    const challenge = `Payment method="lightning", request="${encodeUrl({ amount, currency })}"`;
    expect(read(402, {}, { 'www-authenticate': challenge })?.price).toEqual(price);
  });

  it('asks for the exact number of units of an unknown asset', () => {
    const huge = '115792089237316195423570985008687907853269984665640564039457584007913129639935';
    const accepts = [{ ...option, asset: '0xabc', amount: huge }];
    expect(read(402, {}, { 'payment-required': encode({ x402Version: 2, accepts }) })?.price).toEqual({
      amount: huge,
      currency: 'eip155:8453/0xabc',
    });
  });
});

const HOSTILE: [string, string][] = [
  ['no base64', '!!!'],
  ['half a character', 'eyJ'],
  ['1 MiB', 'A'.repeat(2 ** 20)],
  ['1 MiB of JSON', encode({ accepts: 'x'.repeat(2 ** 20) })],
  ['deep nesting', encode(`${'['.repeat(6_000)}`)],
  ['a deep member', encode(`{"accepts":${'['.repeat(20)}${']'.repeat(20)}}`)],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')],
  ['NaN', encode('{"x402Version":2,"accepts":[{"amount":NaN}]}')],
  ['a prototype', encode('{"__proto__":{"accepts":[],"success":true,"status":"success"}}')],
  ['an inherited member', encode('{"accepts":"constructor","success":"true"}')],
  ['null', encode('null')],
  ['a list', encode('[]')],
  ['numbers', encode('{"accepts":[{"scheme":1,"network":2,"asset":3,"amount":1e308}]}')],
  ['a negative amount', encode({ accepts: [{ ...option, amount: '-1' }] })],
  ['an exponent', encode({ accepts: [{ ...option, amount: '1e9' }] })],
  ['a long amount', encode({ accepts: [{ ...option, amount: '9'.repeat(79) }] })],
  ['null members', encode({ accepts: [null, [], 1], accepted: null, payload: null })],
  ['duplicate keys', encode('{"accepts":[],"accepts":{"a":1}}')],
  ['an open quote', `Payment request="${'\\"'.repeat(100)}`],
  ['many challenges', 'Payment a=b, '.repeat(1_000)],
];

describe('with hostile values', () => {
  it.each(HOSTILE)('reads no price from %s', (_, value) => {
    for (const name of REDUCED_PAYMENT_HEADERS) {
      expect(read(402, { [name]: value }, {})?.price ?? null).toBeNull();
      expect(read(402, {}, { [name]: value })?.price ?? null).toBeNull();
    }
  });

  it.each(HOSTILE)('reduces %s to a short value', (_, value) => {
    for (const name of REDUCED_PAYMENT_HEADERS) {
      const reduced = reducePaymentHeader(name, value);
      expect(reducePaymentHeader(name, reduced)).toBe(reduced);
      if (name !== 'www-authenticate') expect(reduced.length).toBeLessThan(2_000);
    }
  });

  it.each([
    'constructor 1',
    'USD',
    'USD 1e5',
    'USD -1',
    'USD .5',
    'USD 0.0000000000000000001',
    `USD ${'9'.repeat(99)}`,
  ])('reads no price from %j', (text) =>
    expect(read(402, {}, { 'crawler-price': text })).toMatchObject({ outcome: 'asked', price: null }),
  );
});

describe('reducePaymentHeader', () => {
  it.each([
    ['payment-required', REQUIRED],
    ['payment-signature', V2_PAYMENT],
    ['x-payment', V1_PAYMENT],
    ['payment-response', SETTLED],
    ['x-payment-response', DECLINED],
    ['payment-receipt', RECEIPT],
    ['www-authenticate', CHALLENGE],
    ['authorization', `Payment ${V2_PAYMENT}`],
    ['authorization', `License ${SIGNATURE}`],
    ['authorization', `Bearer ${SIGNATURE}`],
  ])('removes wallets, signatures and tokens from %s', (name, value) => {
    const reduced = reducePaymentHeader(name, value);
    const texts = [reduced, ...reduced.split(/[\s",=]/).map((part) => Buffer.from(part, 'base64').toString('latin1'))];
    for (const text of texts) for (const secret of [WALLET, SIGNATURE]) expect(text).not.toContain(secret);
  });

  it('shortens long lists of options', () => {
    const long = { ...option, network: `eip155:${'1'.repeat(57)}`, asset: 'a'.repeat(80), amount: '1'.repeat(78) };
    const accepts = Array.from({ length: 20 }, () => ({ ...long, maxAmountRequired: '1'.repeat(78) }));
    const reduced = reducePaymentHeader('payment-required', encode({ x402Version: 2, accepts }));
    expect(JSON.parse(reduced).accepts.length).toBeGreaterThan(1);
    expect(JSON.stringify(reduced).length).toBeLessThan(6_000);
  });

  it('leaves other challenges unchanged', () => {
    expect(reducePaymentHeader('www-authenticate', 'Basic realm="a, b"')).toBe('Basic realm="a, b"');
    expect(reducePaymentHeader('www-authenticate', 'constructor realm="payment"')).toBe('constructor realm="payment"');
    expect(reducePaymentHeader('www-authenticate', 'Basic realm="a, b", License error="x", title="y"')).toBe(
      'Basic realm="a, b", License error="x"',
    );
  });
});

describe('getPaymentSigns', () => {
  it.each(CASES)('finds %s', (_, status, request_headers, response_headers, { scheme }) => {
    const signs = getPaymentSigns({ response_status_code: status, request_headers, response_headers });
    expect(signs).toMatchObject({ isPayment: scheme !== 'toll', isRedirect: scheme === 'toll' });
  });

  it('finds none in ordinary visits', () => {
    const headers = { host: 'shop.example', authorization: '[redacted]', 'Cache-Control': 'no-store' };
    for (const location of ['/a', 'https://Shop.example/a', null]) {
      expect(
        getPaymentSigns({
          response_status_code: 301,
          request_headers: headers,
          response_headers: { location, 'www-authenticate': 'Basic realm="a"' },
        }),
      ).toEqual({ isPayment: false, isRedirect: false });
    }
  });
});

describe('amounts', () => {
  it('are exact', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3');
    expect(addAmounts('999999999999999999999999.999999999999999999', '0.000000000000000001')).toBe(
      '1000000000000000000000000',
    );
    expect(parseAmount('007.50')).toBe('7.5');
    expect(['', '.', '1.', '.1', '1e3', '-1', ' 1', '1,5', '٣', 'NaN'].map(parseAmount)).toEqual(Array(10).fill(null));
  });
});

function reduce(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (!REDUCED_PAYMENT_HEADERS.has(lower)) return [name, value];
      return [name, [value].flat().map((one) => reducePaymentHeader(lower, one))];
    }),
  );
}
