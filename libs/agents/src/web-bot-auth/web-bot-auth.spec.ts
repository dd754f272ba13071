import type { AgentDefinition } from '../agent.js';
import { normalizeHeaders } from '../headers.js';
import { readKeySet } from './key-set.js';
import { webBotAuthSignature } from './signed-request.js';
import { webBotAuth } from './web-bot-auth.js';
import {
  AT,
  AUTHORITY,
  CREATED,
  KEY_ID,
  ONE,
  PARAMETERS,
  TWO,
  context,
  judge,
  privateKey,
  publicKey,
  reasonOf,
  request,
  signed,
} from '../../../../test/kit/signed-requests.js';

describe('webBotAuth', () => {
  it('returns not_applicable without a signature', () => {
    const nothing = { outcome: 'not_applicable', reason: 'no_signature', agent: null, steps: [] };
    expect(judge({ headers: normalizeHeaders({ 'signature-agent': '"https://one.test"' }) })).toEqual(nothing);
  });

  it('reports the details of the signature', () => {
    const headers = webBotAuthSignature({
      url: 'https://shop.example/a/b?c=d',
      method: 'GET',
      key: privateKey,
      signatureAgent: 'https://two.test/keys',
      now: AT + 900,
      lifetime: 60,
    });
    const all = normalizeHeaders({ host: 'shop.example', ...headers });
    expect(judge({ headers: all, method: 'GET', path: '/a/b?c=d' })).toEqual({
      outcome: 'verified',
      reason: 'ok',
      agent: TWO,
      steps: [
        {
          method: 'http_message_signature',
          outcome: 'verified',
          reason: 'ok',
          label: 'sig1',
          key_id: KEY_ID,
          algorithm: 'ed25519',
          signature_agent: 'https://two.test/keys',
          directory_url: 'https://two.test/keys',
          agent_token: 'Two',
          created: '2027-01-15T08:00:00.000Z',
          expires: '2027-01-15T08:01:00.000Z',
          covered_components: ['"@authority"', '"@method"', '"@path"', '"signature-agent";key="sig1"'],
        },
      ],
    });
    expect(judge({ headers: all, method: 'POST', path: '/a/b' })).toMatchObject({ outcome: 'invalid', agent: TWO });
  });

  it('neither fetches the directory of an unlisted agent nor refutes its signature', () => {
    const agent = '"https://unlisted.test"';
    const asking = context();
    const headers = normalizeHeaders(request([AUTHORITY], { agent, parameters: ';tag="web-bot-auth"' }));
    const verdict = webBotAuth({ headers, method: null, path: null, at: AT }, asking);
    expect(verdict).toMatchObject({ outcome: 'unverified', reason: 'signature_agent_not_listed', agent: null });
    expect(asking.asked).toEqual([]);
    expect(reasonOf({ 'signature-input': 'web-bot-auth (', 'signature-agent': agent })).toBe(
      'unverified signature_agent_not_listed',
    );
  });

  it.each([
    ['sig1="https://unlisted.test";type=directory', 'sig1'],
    ['sig1="https://unlisted.test/jwks";type=jwks_uri', 'sig1'],
  ])('reports the URL of an unlisted agent that signs as %s', (agent) => {
    const asking = context();
    const headers = normalizeHeaders({
      host: 'shop.example',
      'signature-agent': agent,
      'signature-input': `sig1=("@authority" "signature-agent";key="sig1")${PARAMETERS}`,
      signature: 'sig1=:AAAA:',
    });
    const verdict = webBotAuth({ headers, method: null, path: null, at: AT }, asking);
    expect(verdict).toMatchObject({ outcome: 'unverified', reason: 'signature_agent_not_listed', agent: null });
    expect(verdict).toMatchObject({ steps: [{ signature_agent: expect.stringContaining('https://unlisted.test') }] });
    expect(asking.asked).toEqual([]);
  });

  it.each([
    ['shop.example.', 'verified ok'],
    ['Shop.Example.', 'verified ok'],
    ['shop.example..', 'invalid bad_signature'],
    ['shop.example.org.', 'invalid bad_signature'],
  ])('compares the host %s as sent and without its trailing dot', (host, expected) => {
    expect(reasonOf({ ...request([AUTHORITY]), host })).toBe(expected);
  });

  it('treats an empty signed path as the root for DuckDuckBot only', () => {
    const emptyPath = { name: '"@path"', line: '"@path": ' };
    const headers = request([AUTHORITY, emptyPath]);
    const duck = { agentOfDirectory: () => ({ id: '3', token: 'DuckDuckBot' }) as AgentDefinition };
    expect(reasonOf(headers, { path: '/' }, duck)).toBe('verified ok');
    expect(reasonOf(headers, { path: '' }, duck)).toBe('verified ok');
    expect(reasonOf(headers, { path: '/a' }, duck)).toBe('invalid bad_signature');
    expect(reasonOf(headers, { path: '/' })).toBe('invalid bad_signature');
  });

  it('returns a promise if the directory is fetched', async () => {
    const key = readKeySet(publicKey.export({ format: 'jwk' })).get(KEY_ID)!;
    const verdict = webBotAuth(
      { headers: normalizeHeaders(request([AUTHORITY])), method: null, path: null, at: AT },
      context({ directories: { find: () => Promise.resolve({ key }) } }),
    );
    expect(verdict).toBeInstanceOf(Promise);
    expect(await verdict).toMatchObject({ outcome: 'verified', agent: ONE });
  });

  it.each([
    [CREATED - 31, 'invalid created_in_future'],
    [CREATED - 30, 'verified ok'],
    [CREATED + 90, 'verified ok'],
    [CREATED + 91, 'invalid expired'],
    [NaN, 'invalid created_in_future'],
  ])('judges a signature at %d: %s', (now, expected) => {
    expect(reasonOf(request([AUTHORITY]), { at: now * 1_000 })).toBe(expected);
  });

  it('limits the lifetime of a signature to one day', () => {
    const parameters = PARAMETERS.replace(/expires=\d+/, 'expires=9999999999');
    expect(reasonOf(request([AUTHORITY], { parameters }), { at: AT + 86_430_000 })).toBe('verified ok');
    expect(reasonOf(request([AUTHORITY], { parameters }), { at: AT + 86_431_000 })).toBe('invalid expired');
  });

  it.each([
    [{ nbf: CREATED + 31 }, 'invalid key_not_yet_valid'],
    [{ nbf: CREATED + 30, exp: CREATED - 30 }, 'verified ok'],
    [{ exp: CREATED - 31 }, 'invalid key_expired'],
  ])('judges a key with %j: %s', (bounds, expected) => {
    const key = [...readKeySet({ ...publicKey.export({ format: 'jwk' }), ...bounds }).values()][0]!;
    expect(reasonOf(request([AUTHORITY]), {}, { directories: { find: () => ({ key }) } })).toBe(expected);
  });

  it.each([
    [';created=1', 'invalid missing_parameters'],
    [PARAMETERS.replace(/created=\d+/, 'created="x"'), 'invalid signature_input_unreadable'],
    [PARAMETERS.replace(/created=\d+/, 'created=1.5'), 'invalid signature_input_unreadable'],
    [PARAMETERS.replace(/expires=\d+/, `expires=${CREATED}`), 'invalid signature_input_unreadable'],
    [PARAMETERS.replace(/keyid="[^"]*"/, 'keyid=abc'), 'invalid signature_input_unreadable'],
    [`${PARAMETERS};nonce=7`, 'invalid signature_input_unreadable'],
    [`${PARAMETERS};alg=ed25519`, 'invalid signature_input_unreadable'],
    [`${PARAMETERS};alg="ed25519"`, 'verified ok'],
    [`${PARAMETERS};alg="ecdsa-p256-sha256"`, 'invalid algorithm_mismatch'],
    [`${PARAMETERS};alg="hmac-sha256"`, 'unverified algorithm_not_allowed'],
    [`${PARAMETERS};alg="rsa-v1_5-sha256"`, 'unverified algorithm_not_allowed'],
    [`${PARAMETERS};alg="toString"`, 'unverified algorithm_not_allowed'],
  ])('judges the parameters %s: %s', (parameters, expected) => {
    const all = parameters.includes('tag=') ? parameters : `${parameters};tag="web-bot-auth"`;
    expect(reasonOf(request([AUTHORITY], { parameters: all }))).toBe(expected);
  });

  it.each([
    [{ signature: 'keyId="a",signature="b"' }, 'not_applicable no_web_bot_auth_signature'],
    [{ signature: 'a=:AA==:', 'signature-agent': '"https://one.test"' }, 'invalid signature_headers_incomplete'],
    [{ 'signature-input': `a=("@authority")${PARAMETERS}` }, 'unverified signature_agent_absent'],
    [
      { 'signature-input': `a=("@authority" "signature-agent")${PARAMETERS}`, 'signature-agent': '"https://one.test"' },
      'invalid signature_headers_incomplete',
    ],
    [{ 'signature-input': '(((', signature: '' }, 'not_applicable no_web_bot_auth_signature'],
    [{ 'signature-input': `web-bot-auth=${'x'.repeat(9_000)}`, signature: '' }, 'invalid signature_input_unreadable'],
    [
      { 'signature-input': 'a=1;tag="web-bot-auth"', signature: 'a=:AA==:' },
      'not_applicable no_web_bot_auth_signature',
    ],
  ])('judges %j: %s', (headers, expected) => {
    expect(reasonOf(headers as Record<string, string>)).toBe(expected);
  });

  it.each(['signature', 'signature-input', 'signature-agent', 'host'])(
    'does not refute a signature if its %s was redacted',
    (name) => {
      expect(reasonOf({ ...request([AUTHORITY]), [name]: '[redacted]' })).toBe('unverified component_unavailable');
    },
  );

  it('rejects invalid names, invalid values and oversized values', () => {
    const good = request([AUTHORITY]);
    const agent = { 'signature-agent': '"https://one.test"' };
    expect(reasonOf({ ...agent, ...signed([{ input: `("@authority" Token)${PARAMETERS}`, lines: [] }]) })).toBe(
      'invalid signature_input_unreadable',
    );
    expect(reasonOf({ ...good, signature: 'sig1="text"' })).toBe('invalid signature_value_unreadable');
    expect(reasonOf({ ...good, signature: 'sig1=:!:' })).toBe('invalid signature_value_unreadable');
    expect(reasonOf({ ...good, signature: 'sig1=:AAAA:' })).toBe('invalid bad_signature');
    expect(reasonOf({ ...good, signature: `${good['signature']}, b=:${'A'.repeat(9_000)}:` })).toBe(
      'invalid signature_value_unreadable',
    );
  });

  it('rejects duplicates in any parameter order and limits the number of components', () => {
    const twice = [AUTHORITY, { name: '"x";key="a";sf', line: '' }, { name: '"x";sf;key="a"', line: '' }];
    expect(reasonOf(request(twice))).toBe('invalid duplicate_component');
    const many = Array.from({ length: 32 }, (_, index) => ({ name: `"x-${index}"`, line: `"x-${index}": 1` }));
    const fields = Object.fromEntries(many.map((_, index) => [`x-${index}`, '1']));
    expect(reasonOf(request([AUTHORITY, ...many.slice(2)], fields))).toBe('verified ok');
    expect(reasonOf(request([AUTHORITY, ...many], fields))).toBe('unverified component_unavailable');
  });

  it('reads a component once for all candidates and does not refute what it cannot check', () => {
    const value = 'a'.repeat(4_000);
    const method = { name: '"@method"', line: '"@method": OPTIONS' };
    const field = { name: '"x";sf', line: `"x";sf: ${value}` };
    expect(reasonOf(request([AUTHORITY, method, field], { x: value }), { method: 'OPTIONS' })).toBe('verified ok');
    expect(reasonOf(request([AUTHORITY, method, field], { x: value }))).toBe('verified ok');
    // With OPTIONS instead of GET, the signature base is too long to check.
    const others = [AUTHORITY.line, '"@method": GET', '"x": ', '"signature-agent": "https://one.test"', ''];
    const longest = 'a'.repeat(16_384 - others.join('\n').length);
    const full = { name: '"x"', line: `"x": ${longest}` };
    expect(reasonOf(request([AUTHORITY, method, full], { x: longest }))).toBe('unverified component_unavailable');
  });

  it('uses the best label, preferring the agent in the User-Agent', () => {
    const labels = ['one', 'two', 'bad', 'none', 'lost'].map((label) => {
      const parameters = label === 'lost' ? PARAMETERS.replace(KEY_ID, 'lost') : PARAMETERS;
      const input = `("@authority" "signature-agent";key="${label}")${parameters}`;
      const url =
        label === 'two' ? 'https://two.test/keys' : label === 'none' ? 'https://none.test' : 'https://one.test';
      const value = label === 'bad' ? 'wrong' : url;
      const lines = [AUTHORITY.line, `"signature-agent";key="${label}": "${value}"`];
      return { label, input, lines, member: `${label}="${url}"` };
    });
    const headersOf = (...chosen: string[]) => {
      const these = chosen.map((name) => labels.find(({ label }) => label === name)!);
      return normalizeHeaders({
        host: 'shop.example',
        'signature-agent': these.map(({ member }) => member).join(', '),
        ...signed(these),
      });
    };
    const best = (chosen: string[], userAgentAgent: AgentDefinition | null = null) => {
      const { outcome, agent, steps } = judge({ headers: headersOf(...chosen) }, { userAgentAgent });
      expect(steps.map(({ label }) => label)).toEqual(chosen);
      return `${outcome} ${agent?.token}`;
    };
    expect(best(['one', 'two'])).toBe('verified One');
    expect(best(['one', 'two'], TWO)).toBe('verified Two');
    expect(best(['bad', 'none', 'two'], ONE)).toBe('verified Two');
    expect(best(['none', 'bad'])).toBe('invalid One');
    expect(best(['none', 'lost'])).toBe('unverified One');
    expect(best(['none'])).toBe('unverified undefined');
  });

  it('checks at most eight labels', () => {
    const labels = Array.from({ length: 9 }, (_, index) => ({
      label: `l${index}`,
      input: `("@authority" "signature-agent")${PARAMETERS}`,
      lines: [],
    }));
    const headers = { host: 'shop.example', 'signature-agent': '"https://one.test"', ...signed(labels) };
    expect(judge({ headers: normalizeHeaders(headers) }).steps).toHaveLength(8);
  });
});
