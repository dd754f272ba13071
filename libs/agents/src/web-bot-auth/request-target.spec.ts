import { normalizeHeaders } from '../headers.js';
import { AUTHORITY, PARAMETERS, judge, reasonOf, request, signed } from '../../../../test/kit/signed-requests.js';

describe('webBotAuth with an incompletely reported request target', () => {
  it('ignores X-Forwarded-Host, but trusts the :authority of HTTP/2', () => {
    expect(reasonOf({ ...request([AUTHORITY]), host: 'a.example', 'x-forwarded-host': 'shop.example' })).toBe(
      'invalid bad_signature',
    );
    expect(reasonOf({ ...request([AUTHORITY]), host: 'a.example', ':authority': 'shop.example' })).toBe('verified ok');
    expect(reasonOf({ ...request([AUTHORITY]), host: 'shop.example, shop.example' })).toBe(
      'unverified component_unavailable',
    );
  });

  it.each([
    ['shop.example', 'verified ok'],
    ['other.example', 'invalid authority_not_expected'],
  ])('checks the authority for a site at %s: %s', (host, expected) => {
    expect(reasonOf(request([AUTHORITY]), {}, { hostNames: [host] })).toBe(expected);
    const rewritten = { ...request([AUTHORITY]), host: 'web:8080' };
    expect(reasonOf(rewritten, {}, { hostNames: [host] })).toBe('unverified authority_not_expected');
  });

  it.each(['GET', 'OPTIONS'])('infers the method %s if none was reported', (method) => {
    const headers = request([AUTHORITY, { name: '"@method"', line: `"@method": ${method}` }]);
    expect(reasonOf(headers)).toBe('verified ok');
    expect(reasonOf(headers, { method: 'PUT' })).toBe('invalid bad_signature');
    expect(reasonOf({ ...headers, ':method': 'PUT' }, { method })).toBe('invalid bad_signature');
    expect(reasonOf(request([AUTHORITY, { name: '"@method"', line: '"@method": BREW' }]))).toBe(
      'invalid bad_signature',
    );
  });

  it.each(['https', 'http'])('infers the scheme %s if none was reported', (scheme) => {
    const port = scheme === 'https' ? ':443' : ':80';
    const headers = request([
      { name: '"@target-uri"', line: `"@target-uri": ${scheme}://shop.example/a?b` },
      { name: '"@method"', line: '"@method": DELETE' },
    ]);
    const plain = { ...request([AUTHORITY]), host: `Shop.Example${port}` };
    expect(reasonOf(headers, { path: '/a?b' })).toBe('verified ok');
    expect(reasonOf(plain)).toBe('verified ok');
    expect(reasonOf({ ...plain, ':scheme': scheme })).toBe('verified ok');
    const others = scheme === 'https' ? ':80' : ':443';
    const withPort = request([{ ...AUTHORITY, line: `${AUTHORITY.line}${others}` }]);
    expect(reasonOf({ ...withPort, host: `shop.example${others}` })).toBe('verified ok');
    expect(reasonOf({ ...plain, ':scheme': scheme === 'https' ? 'http' : 'https' })).toBe('invalid bad_signature');
  });

  it('returns unverified instead of invalid only if information is missing', () => {
    const query = [AUTHORITY, { name: '"@query"', line: '"@query": ?x=1' }];
    const none = [AUTHORITY, { name: '"@query"', line: '"@query": ?' }];
    const bytes = [AUTHORITY, { name: '"x";bs', line: '"x";bs: :YQ==:, :Yg==:' }];
    expect(reasonOf(request(query), { path: '/?x=1' })).toBe('verified ok');
    expect(reasonOf(request(query), { path: '/' })).toBe('unverified query_unknown');
    expect(reasonOf({ ...request(query), ':path': '/' })).toBe('invalid bad_signature');
    expect(reasonOf(request(query), { path: '/?x=2' })).toBe('invalid bad_signature');
    expect(reasonOf(request(none), { path: '/' })).toBe('verified ok');
    expect(reasonOf(request(query))).toBe('unverified component_unavailable');
    expect(reasonOf(request(bytes, { x: 'a, b' }))).toBe('unverified component_unavailable');
    expect(reasonOf(request(bytes, { x: 'a b' }))).toBe('invalid bad_signature');
  });

  it('returns unverified if it cannot afford to try every candidate', () => {
    const method = { name: '"@method"', line: '"@method": BREW' };
    const { input, lines } = {
      input: `("@authority" "@method" "@scheme" "signature-agent")${PARAMETERS}`,
      lines: [AUTHORITY.line, method.line, '"@scheme": https', '"signature-agent": "https://one.test"'],
    };
    const verdict = (count: number) => {
      const labels = Array.from({ length: count }, (_, index) => ({ label: `l${index}`, input, lines }));
      const headers = { host: 'shop.example', 'signature-agent': '"https://one.test"', ...signed(labels) };
      return judge({ headers: normalizeHeaders(headers) });
    };
    expect(verdict(4)).toMatchObject({ outcome: 'invalid', reason: 'bad_signature' });
    expect(verdict(5)).toMatchObject({ outcome: 'unverified', reason: 'component_unavailable' });
  });
});
