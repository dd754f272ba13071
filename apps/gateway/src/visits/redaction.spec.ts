import crawlers from 'crawler-user-agents';
import { CREDENTIAL_HEADERS, REDACTED } from '#libs/agents';
import { validator, VISIT_LIMITS, VisitSchema, type Fault, type Visit } from '#libs/contracts';
import { Redactor, Redactors } from './redaction.js';

const redactor = new Redactor(CREDENTIAL_HEADERS);
const redact = (item: unknown): unknown => redactor.start().redact(structuredClone(item));

it.each([
  '{"request_headers":{"user-agent":"cookie monster \\u00e4"}}',
  '{"x":"set-cookies","y":[{"z":null},["a"]]}',
  '{"request_headers":{"user-agent":["a","b"],"authorization":null,"x-forwarded-for":"203.0.113.5"}}',
  '{"__proto__":{"a":1}}',
])('leaves %s unchanged', (json) => {
  const redaction = redactor.start();
  expect(redaction.redact(JSON.parse(json))).toEqual(JSON.parse(json));
  expect(redaction.isChanged).toBe(false);
});

it('redacts values in requests and responses, regardless of their case and structure', () => {
  const visit = {
    request_headers: { Cookie: ['a', 'b'], Accept: '*/*', 'X-Api-Key': 7, authorization: null, x_vault_token: 's.1' },
    response_headers: { 'Set-Cookie': { odd: true }, location: 'https://a.example/?session=1' },
    request_path: '/reset?token=abc&page=2',
  };
  expect(redact(visit)).toEqual({
    request_headers: {
      Cookie: REDACTED,
      Accept: '*/*',
      'X-Api-Key': REDACTED,
      authorization: null,
      x_vault_token: REDACTED,
    },
    response_headers: { 'Set-Cookie': REDACTED, location: `https://a.example/?session=${REDACTED}` },
    request_path: `/reset?token=${REDACTED}&page=2`,
  });
});

it('preserves headers that identify the visitor', () => {
  const headers = {
    'User-Agent': 'Bot/1.0 (+https://me:you@bot.example/?token=abc)',
    'signature-input': 'sig1=("@authority");keyid="eyJhbGciOiJub25lIn0";tag="web-bot-auth"',
    signature: 'sig1=:YWJjZGVmZ2hpamtsbW5vcA==:',
    'signature-agent': '"https://signer.example?key=1"',
    from: 'bot(at)bot.example',
    'sec-ch-ua': '"Chromium";v="142"',
    'x-forwarded-for': '203.0.113.5, 10.0.0.1',
    forwarded: 'for=203.0.113.5;host=shop.example',
  };
  expect(redact({ request_headers: headers })).toEqual({ request_headers: headers });
});

it('redacts only credential-shaped values in identifying headers', () => {
  const headers = {
    'User-Agent': 'Bot/1.0 Bearer abcdef123 agr_AbCdEfGhIj0123456789',
    from: ['Basic dXNlcjpwYXNz', 'bot(at)bot.example'],
    'x-forwarded-for': '203.0.113.5, Bearer abcdef123',
    host: 'session.example:8080',
    signature: 'sig1=:eyJhbGciOiJub25lIn0=:',
  };
  expect(redact({ request_headers: headers })).toEqual({
    request_headers: {
      ...headers,
      'User-Agent': `Bot/1.0 Bearer ${REDACTED} ${REDACTED}`,
      from: [`Basic ${REDACTED}`, 'bot(at)bot.example'],
      'x-forwarded-for': `203.0.113.5, Bearer ${REDACTED}`,
    },
  });
  const odd = { request_headers: { 'user-agent': [{ cookie: 'a' }] } };
  expect(redact(odd)).toEqual({ request_headers: { 'user-agent': [{ cookie: REDACTED }] } });
});

it('preserves the user agents of known crawlers', () => {
  const samples = crawlers.flatMap(({ instances }) => instances);
  expect(samples.length).toBeGreaterThan(2_000);
  expect(samples.filter((sample) => redactor.identifyingText(sample) !== sample)).toEqual([]);
});

it.each([
  [
    { Value: 'a', Name: 'Cookie' },
    { Value: REDACTED, Name: 'Cookie' },
  ],
  [
    { KEY: 'x-id-token', VALUES: ['a'] },
    { KEY: REDACTED, VALUES: REDACTED },
  ],
  [
    { Header: 'cookie', value: 'a' },
    { Header: 'cookie', value: REDACTED },
  ],
  [
    { headerName: 'cookie', headerValue: 'a' },
    { headerName: 'cookie', headerValue: REDACTED },
  ],
  [
    { k: 'Cookie', v: 1 },
    { k: 'Cookie', v: REDACTED },
  ],
  [
    ['cookie', null, 'a'],
    ['cookie', null, REDACTED],
  ],
  [
    ['set-cookie', 'a', 'b'],
    ['set-cookie', REDACTED, REDACTED],
  ],
  [
    ['accept', '*/*', 'cookie', null, 'a', 'b'],
    ['accept', '*/*', 'cookie', null, REDACTED, 'b'],
  ],
  [
    { '/?token=abc': 5, a: 1 },
    { [`/?token=${REDACTED}`]: REDACTED, a: 1 },
  ],
  [['/?token=abc'], [`/?token=${REDACTED}`]],
  [
    { dbPass: 'a', otpCode: 1, ticket: 'b', ｐａｓｓｃｏｄｅ: 'c' },
    { dbPass: REDACTED, otpCode: REDACTED, ticket: REDACTED, ｐａｓｓｃｏｄｅ: REDACTED },
  ],
])('redacts %j as %j', (value, expected) => expect(redact({ value: [value] })).toEqual({ value: [expected] }));

it('redacts payment data and card numbers, but not other numbers', () => {
  const body = {
    payment_method: { type: 'card', number: 4242424242424242, exp_year: '2029', cvc: '223', card_number_type: 'fpan' },
    payment: { credit_card: { number: '4242424242424242', brand: 'visa' }, iban: 'DE89370400440532013000' },
    order: { number: '1234', items: [{ number: 1 }], card_number: '4242424242424242' },
  };
  expect(redact({ acp_request_body: body })).toEqual({
    acp_request_body: {
      payment_method: { ...body.payment_method, number: REDACTED, cvc: REDACTED },
      payment: { credit_card: { number: REDACTED, brand: 'visa' }, iban: REDACTED },
      order: { ...body.order, card_number: REDACTED },
    },
  });
});

it('redacts credentials at any depth, in any field and in name-value pairs', () => {
  const deep = {
    acp_response_body: { payment: [{ data: { client_secret: 'x', amount: 5 } }], note: 'use Bearer abcdef123' },
    ucp_response_body: { links: ['https://a.example/?sig=1'] },
    raw_headers: ['Accept', '*/*', 'Cookie', 'a=b', 'Host', 'a.example'],
    pairs: [
      ['x-id-token', 'abc'],
      ['accept', '*/*'],
    ],
    labeled: [
      { name: 'X-Refresh-Token', value: 'abc' },
      { name: 'accept', value: '*/*' },
    ],
    body: '{"password":"abc"}',
    token: { whole: 'object' },
    signature: 'of something else',
  };
  expect(redact(deep)).toEqual({
    acp_response_body: {
      payment: [{ data: { client_secret: REDACTED, amount: 5 } }],
      note: `use Bearer ${REDACTED}`,
    },
    ucp_response_body: { links: [`https://a.example/?sig=${REDACTED}`] },
    raw_headers: ['Accept', '*/*', 'Cookie', REDACTED, 'Host', 'a.example'],
    pairs: [
      ['x-id-token', REDACTED],
      ['accept', '*/*'],
    ],
    labeled: [
      { name: 'X-Refresh-Token', value: REDACTED },
      { name: 'accept', value: '*/*' },
    ],
    body: `{"password":"${REDACTED}"}`,
    token: REDACTED,
    signature: REDACTED,
  });
});

it("redacts headers that aren't an object and accepts items of any type", () => {
  const item = { request_headers: 'Cookie: a=b', response_headers: [['set-cookie', 'a']] };
  expect(redact(item)).toEqual({ request_headers: REDACTED, response_headers: REDACTED });
  expect(redact('Authorization: Basic dXNlcjpwYXNz')).toBe(`Authorization: ${REDACTED}`);
  for (const value of [null, 1, 'x', [], true]) expect(redact(value)).toEqual(value);
  let nested: unknown = { password: 'x' };
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  expect(() => redactor.start().redact(nested)).not.toThrow();
});

it('redacts one-time secrets anywhere in a visit except in Web Bot Auth signatures', () => {
  const signed = {
    signature: 'sig1=:YWJjZGVmZ2hpamtsbW5vcA==:',
    'signature-input': 'sig1=("@authority");nonce="abc";hash="def"',
    'signature-agent': 'sig1="https://signer.example/?state=1"',
  };
  const visit = {
    request_path: '/login;jsessionid=AB12?reset=s3cret&page=2',
    request_headers: { ...signed, referer: 'https://a.example/?magic=s3cret', 'x-magic-link': 's3cret' },
    response_headers: {
      location: '/cb?state=s3cret&page=2',
      link: '</?invite=s3cret>; rel=next',
      refresh: '0; url=/?verify=s3cret',
      'x-verification-code': 's3cret',
      'one-time-code': ['s3cret'],
      'list-unsubscribe': '<https://a.example/u/s3cret>',
    },
    acp_response_body: { state: 'CA', hash: 'abc', code: 'US', links: [{ url: 'https://a.example/?hmac=s3cret' }] },
    ucp_response_body: { verification_code: 's3cret', continue_url: '/#device_code=s3cret' },
    mcp_response_error_message: 'Open https://a.example/?unsubscribe=s3cret or /?hash=s3cret',
  };
  const shown = redact(visit) as typeof visit;
  expect(JSON.stringify(shown)).not.toContain('s3cret');
  expect(shown.request_headers).toMatchObject(signed);
  expect(shown.acp_response_body).toMatchObject({ state: 'CA', hash: 'abc', code: 'US' });
  expect(shown.request_path).toBe('/login;jsessionid=[redacted]&page=2');
});

describe('payment headers', () => {
  const wallet = '0xfa3F54AE9C4287CA09a486dfaFaCe7d1d4095d93';
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
  const accepted = { scheme: 'exact', network: 'eip155:8453', asset: '0xabc', amount: '10000' };
  const payment = encode({ x402Version: 2, accepted: { ...accepted, payTo: wallet }, payload: { signature: wallet } });

  it('are reduced to the scheme, price and result', () => {
    const headers = {
      request_headers: { 'Payment-Signature': [payment], 'x-payment': 5, Authorization: 'license s3cret' },
      response_headers: {
        'payment-response': encode({ success: true, payer: wallet }),
        'payment-required': encode({ x402Version: 2, accepts: [{ ...accepted, payTo: wallet }] }),
        'payment-receipt': 'malformed',
        'www-authenticate': `Digest realm="?token=s3cret", Payment id="${wallet}", method="tempo"`,
        'crawler-charged': 'USD 0.01',
      },
    };
    expect(redact(headers)).toEqual({
      request_headers: {
        'Payment-Signature': [JSON.stringify({ x402Version: 2, accepted })],
        'x-payment': REDACTED,
        Authorization: `License ${REDACTED}`,
      },
      response_headers: {
        'payment-response': JSON.stringify({ success: true }),
        'payment-required': JSON.stringify({ x402Version: 2, accepts: [accepted] }),
        'payment-receipt': REDACTED,
        'www-authenticate': `Digest realm="?token=${REDACTED}", Payment method="tempo"`,
        'crawler-charged': 'USD 0.01',
      },
    });
  });

  it('are redacted entirely outside of headers, and in headers if configured', () => {
    expect(redact({ raw: ['payment-response', payment, 'X_PAYMENT', payment] })).toEqual({
      raw: ['payment-response', REDACTED, 'X_PAYMENT', REDACTED],
    });
    const configured = new Redactor([...CREDENTIAL_HEADERS, 'payment-required']).start();
    expect(configured.redact({ response_headers: { 'payment-required': payment } })).toEqual({
      response_headers: { 'payment-required': REDACTED },
    });
  });

  it("can't be exempted", () => {
    const exempt = ['payment-signature', 'x-payment', 'authorization'];
    const exempting = new Redactor(CREDENTIAL_HEADERS, { redacted: [], exempt }).start();
    expect(exempting.redact({ request_headers: Object.fromEntries(exempt.map((name) => [name, wallet])) })).toEqual({
      request_headers: Object.fromEntries(exempt.map((name) => [name, REDACTED])),
    });
  });
});

describe('redactVisit', () => {
  const VISIT = {
    request_path: '/',
    request_method: 'GET',
    request_headers: { a: 'b' },
    client_address: '203.0.113.5',
    response_status_code: 200,
    response_headers: { a: 'b' },
    response_duration_in_milliseconds: 1,
    response_size_in_bytes: 1,
    response_size_type: 'body' as const,
    response_cache: 'hit' as const,
    created: '2026-11-21T08:30:00Z',
    mcp_request_method: 'tools/call',
    mcp_request_tool_name: 'search',
    mcp_request_protocol_version: '2026-07-28',
    mcp_request_client_info_name: 'a',
    mcp_request_client_info_version: '1',
    mcp_response_result_type: 'complete',
    mcp_response_result_is_error: true,
    mcp_response_error_code: 1,
    mcp_response_error_message: 'a',
    acp_response_body: { a: 1 },
    ucp_response_body: { a: 1 },
  };
  const faults = (item: unknown): Fault[] => validator(VisitSchema).faults(item);

  it('redacts credentials in encoded MCP headers', () => {
    const encode = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    const visit: Visit = structuredClone(VISIT);
    visit.request_headers = {
      'mcp-name': encode('https://shop.example/ü?token=s3cret'),
      'mcp-param-city': encode('Köln'),
    };
    new Redactor([]).start().redactVisit(visit);
    expect(visit.request_headers).toEqual({
      'mcp-name': 'https://shop.example/ü?token=[redacted]',
      'mcp-param-city': encode('Köln'),
    });
  });

  it.each(Object.keys(VisitSchema.properties))('returns a valid visit when a project redacts %s', (field) => {
    expect(VISIT).toHaveProperty(field);
    const visit: Visit = structuredClone(VISIT);
    new Redactor([field]).start().redactVisit(visit);
    expect(faults(visit)).toEqual([]);
    expect(visit[field]).not.toEqual(VISIT[field as keyof typeof VISIT]);
  });

  it("removes addresses whose zone is a credential, and doesn't change other formatted fields", () => {
    const visit: Visit = { ...structuredClone(VISIT), client_address: 'fe80::1%AKIAIOSFODNN7EXAMPLE' };
    redactor.start().redactVisit(visit);
    expect(visit).toEqual({ ...VISIT, client_address: null });
  });

  it('returns whether it changed the visit', () => {
    const redaction = redactor.start();
    const results = ['/', '/?token=s3cret', '/'].map((path) =>
      redaction.redactVisit({ ...structuredClone(VISIT), request_path: path }),
    );
    expect(results).toEqual([false, true, false]);
    expect(redaction.isChanged).toBe(true);
  });

  it('returns a valid visit when the replacement is longer than the credential', () => {
    const path = `/?token=a&b=${'c'.repeat(VISIT_LIMITS.pathLength)}`.slice(0, VISIT_LIMITS.pathLength);
    const visit: Visit = { ...structuredClone(VISIT), request_path: path };
    redactor.start().redactVisit(visit);
    expect(faults(visit)).toEqual([]);
    expect(visit.request_path).toMatch(/^\/\?token=\[redacted\]&b=c+$/);
  });
});

describe('Redactors', () => {
  const redactors = new Redactors(['x-of-the-instance']);
  const settings = {
    redacted: ['X-Member.Id', 'x+y'],
    exempt: ['x-cache-token', 'Cookie', 'x-of-the-instance', 'x+y'],
  };

  it('redacts and exempts names as configured, but never exempts names that are always redacted', () => {
    const headers = {
      'x-member.id': '1',
      'x_member.id': '2',
      'x+y': '3',
      'X-Cache-Token': 'agt_AbCdEfGhIj0123',
      cookie: '5',
      'X-Of-The-Instance': '6',
    };
    expect(
      redactors
        .for(settings)
        .start()
        .redact({ request_headers: { ...headers } }),
    ).toEqual({
      request_headers: {
        'x-member.id': REDACTED,
        'x_member.id': REDACTED,
        'x+y': REDACTED,
        'X-Cache-Token': 'agt_AbCdEfGhIj0123',
        cookie: REDACTED,
        'X-Of-The-Instance': REDACTED,
      },
    });
  });

  it('exempts query parameters', () => {
    const exempting = redactors.for({ redacted: [], exempt: ['state'] }).start();
    expect(exempting.redact('/?state=CA&code=abc')).toBe('/?state=CA&code=[redacted]');
  });

  it.each([
    ['an unclosed string', (size: number) => `:"${'x'.repeat(size)}`],
    ['a name and its value', (size: number) => `{"${'x'.repeat(size)}":"value"}`],
    ['a pair', (size: number) => `{"name":"${'x'.repeat(size)}","value":"y"}`],
    ['escape sequences', (size: number) => `:"${String.raw`\u`.repeat(size / 2)}`],
  ])('limits the searched text to the maximum visit size (text with %s)', (_, textOf) => {
    const text = redactor.text(textOf(20 * 2 ** 20));
    expect([text.length < 600_000, text.endsWith(REDACTED)]).toEqual([true, true]);
    expect(redactor.text(textOf(400_000)).length).toBeGreaterThan(400_000);
  });

  it('shares a redactor among projects with the same settings', () => {
    expect(redactors.for(settings)).toBe(redactors.for(structuredClone(settings)));
    expect(redactors.for(settings)).not.toBe(redactors.for({ redacted: [], exempt: [] }));
  });

  it('redacts correctly after names were evicted from its cache', () => {
    const one = redactors.for({ redacted: [], exempt: [] });
    for (let number = 0; number < 10_000; number += 1) one.start().redact({ [`name-${number}`]: `a value ${number}` });
    expect(one.start().redact({ 'name-1': 'a value 1', token: 'x' })).toEqual({
      'name-1': 'a value 1',
      token: REDACTED,
    });
  });
});
