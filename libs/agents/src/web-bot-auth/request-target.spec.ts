import { normalizeHeaders } from '../headers.js';
import {
  AUTHORITY,
  PARAMETERS,
  verifyRequest,
  getVerdict,
  request,
  createSignatureHeaders,
} from '../../../../test/kit/signed-requests.js';

describe('verifyWebBotAuth with an incompletely reported request target', () => {
  it('ignores X-Forwarded-Host, but trusts the HTTP/2 :authority', () => {
    expect(getVerdict({ ...request([AUTHORITY]), host: 'a.example', 'x-forwarded-host': 'shop.example' })).toBe(
      'invalid bad_signature',
    );
    expect(getVerdict({ ...request([AUTHORITY]), host: 'a.example', ':authority': 'shop.example' })).toBe(
      'verified ok',
    );
    expect(getVerdict({ ...request([AUTHORITY]), host: 'shop.example, shop.example' })).toBe(
      'unverified component_unavailable',
    );
  });

  it.each([
    ['shop.example', 'verified ok'],
    ['other.example', 'invalid authority_not_expected'],
  ])("checks the authority if the site's host name is %s: %s", (host, expected) => {
    expect(getVerdict(request([AUTHORITY]), {}, { hostNames: [host] })).toBe(expected);
    const rewritten = { ...request([AUTHORITY]), host: 'web:8080' };
    expect(getVerdict(rewritten, {}, { hostNames: [host] })).toBe('unverified authority_not_expected');
  });

  it.each(['GET', 'OPTIONS'])('infers the method %s if it was not reported', (method) => {
    const headers = request([AUTHORITY, { name: '"@method"', line: `"@method": ${method}` }]);
    expect(getVerdict(headers)).toBe('verified ok');
    expect(getVerdict(headers, { method: 'PUT' })).toBe('invalid bad_signature');
    expect(getVerdict({ ...headers, ':method': 'PUT' }, { method })).toBe('invalid bad_signature');
    expect(getVerdict(request([AUTHORITY, { name: '"@method"', line: '"@method": BREW' }]))).toBe(
      'invalid bad_signature',
    );
  });

  it.each(['https', 'http'])('infers the scheme %s if it was not reported', (scheme) => {
    const port = scheme === 'https' ? ':443' : ':80';
    const headers = request([
      { name: '"@target-uri"', line: `"@target-uri": ${scheme}://shop.example/a?b` },
      { name: '"@method"', line: '"@method": DELETE' },
    ]);
    const requestWithPort = { ...request([AUTHORITY]), host: `Shop.Example${port}` };
    expect(getVerdict(headers, { path: '/a?b' })).toBe('verified ok');
    expect(getVerdict(requestWithPort)).toBe('verified ok');
    expect(getVerdict({ ...requestWithPort, ':scheme': scheme })).toBe('verified ok');
    const otherPort = scheme === 'https' ? ':80' : ':443';
    const withPort = request([{ ...AUTHORITY, line: `${AUTHORITY.line}${otherPort}` }]);
    expect(getVerdict({ ...withPort, host: `shop.example${otherPort}` })).toBe('verified ok');
    expect(getVerdict({ ...requestWithPort, ':scheme': scheme === 'https' ? 'http' : 'https' })).toBe(
      'invalid bad_signature',
    );
  });

  it('returns "unverified" instead of "invalid" only if information is missing', () => {
    const query = [AUTHORITY, { name: '"@query"', line: '"@query": ?x=1' }];
    const emptyQuery = [AUTHORITY, { name: '"@query"', line: '"@query": ?' }];
    const byteSequence = [AUTHORITY, { name: '"x";bs', line: '"x";bs: :YQ==:, :Yg==:' }];
    expect(getVerdict(request(query), { path: '/?x=1' })).toBe('verified ok');
    expect(getVerdict(request(query), { path: '/' })).toBe('unverified query_unknown');
    expect(getVerdict({ ...request(query), ':path': '/' })).toBe('invalid bad_signature');
    expect(getVerdict(request(query), { path: '/?x=2' })).toBe('invalid bad_signature');
    expect(getVerdict(request(emptyQuery), { path: '/' })).toBe('verified ok');
    expect(getVerdict(request(query))).toBe('unverified component_unavailable');
    expect(getVerdict(request(byteSequence, { x: 'a, b' }))).toBe('unverified component_unavailable');
    expect(getVerdict(request(byteSequence, { x: 'a b' }))).toBe('invalid bad_signature');
  });

  it('returns "unverified" if too many possible request targets would have to be tried', () => {
    const method = { name: '"@method"', line: '"@method": BREW' };
    const { input, lines } = {
      input: `("@authority" "@method" "@scheme" "signature-agent")${PARAMETERS}`,
      lines: [AUTHORITY.line, method.line, '"@scheme": https', '"signature-agent": "https://one.test"'],
    };
    const verdict = (count: number) => {
      const labels = Array.from({ length: count }, (_, index) => ({ label: `l${index}`, input, lines }));
      const headers = {
        host: 'shop.example',
        'signature-agent': '"https://one.test"',
        ...createSignatureHeaders(labels),
      };
      return verifyRequest({ headers: normalizeHeaders(headers) });
    };
    expect(verdict(4)).toMatchObject({ outcome: 'invalid', reason: 'bad_signature' });
    expect(verdict(5)).toMatchObject({ outcome: 'unverified', reason: 'component_unavailable' });
  });
});
