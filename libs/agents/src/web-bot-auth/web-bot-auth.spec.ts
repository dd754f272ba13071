import type { AgentDefinition } from '../agent.js';
import { normalizeHeaders } from '../headers.js';
import { parseKeySet } from './key-set.js';
import { signWebBotAuthRequest } from './signed-request.js';
import { verifyWebBotAuth } from './web-bot-auth.js';
import {
  REQUEST_TIME_MS,
  AUTHORITY,
  CREATED_SECONDS,
  KEY_ID,
  AGENT_ONE,
  PARAMETERS,
  AGENT_TWO,
  createContext,
  verifyRequest,
  privateKey,
  publicKey,
  getVerdict,
  request,
  createSignatureHeaders,
} from '../../../../test/kit/signed-requests.js';

describe('verifyWebBotAuth', () => {
  it('returns "not_applicable" for unsigned requests', () => {
    const unsigned = { outcome: 'not_applicable', reason: 'no_signature', agent: null, steps: [] };
    expect(verifyRequest({ headers: normalizeHeaders({ 'signature-agent': '"https://one.test"' }) })).toEqual(unsigned);
  });

  it('returns all details about the signature', () => {
    const headers = signWebBotAuthRequest({
      url: 'https://shop.example/a/b?c=d',
      method: 'GET',
      key: privateKey,
      signatureAgent: 'https://two.test/keys',
      now: REQUEST_TIME_MS + 900,
      lifetimeSeconds: 60,
    });
    const all = normalizeHeaders({ host: 'shop.example', ...headers });
    expect(verifyRequest({ headers: all, method: 'GET', path: '/a/b?c=d' })).toEqual({
      outcome: 'verified',
      reason: 'ok',
      agent: AGENT_TWO,
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
    expect(verifyRequest({ headers: all, method: 'POST', path: '/a/b' })).toMatchObject({
      outcome: 'invalid',
      agent: AGENT_TWO,
    });
  });

  it("neither fetches an unlisted agent's directory nor refutes its signature", () => {
    const agent = '"https://unlisted.test"';
    const recordingContext = createContext();
    const headers = normalizeHeaders(request([AUTHORITY], { agent, parameters: ';tag="web-bot-auth"' }));
    const verdict = verifyWebBotAuth({ headers, method: null, path: null, at: REQUEST_TIME_MS }, recordingContext);
    expect(verdict).toMatchObject({ outcome: 'unverified', reason: 'signature_agent_not_listed', agent: null });
    expect(recordingContext.asked).toEqual([]);
    expect(getVerdict({ 'signature-input': 'web-bot-auth (', 'signature-agent': agent })).toBe(
      'unverified signature_agent_not_listed',
    );
  });

  it.each([
    ['sig1="https://unlisted.test";type=directory', 'sig1'],
    ['sig1="https://unlisted.test/jwks";type=jwks_uri', 'sig1'],
  ])('returns the URL for an unlisted agent that signs as %s', (agent) => {
    const recordingContext = createContext();
    const headers = normalizeHeaders({
      host: 'shop.example',
      'signature-agent': agent,
      'signature-input': `sig1=("@authority" "signature-agent";key="sig1")${PARAMETERS}`,
      signature: 'sig1=:AAAA:',
    });
    const verdict = verifyWebBotAuth({ headers, method: null, path: null, at: REQUEST_TIME_MS }, recordingContext);
    expect(verdict).toMatchObject({ outcome: 'unverified', reason: 'signature_agent_not_listed', agent: null });
    expect(verdict).toMatchObject({ steps: [{ signature_agent: expect.stringContaining('https://unlisted.test') }] });
    expect(recordingContext.asked).toEqual([]);
  });

  it.each([
    ['shop.example.', 'verified ok'],
    ['Shop.Example.', 'verified ok'],
    ['shop.example..', 'invalid bad_signature'],
    ['shop.example.org.', 'invalid bad_signature'],
  ])('compares the host %s with and without its trailing dot: %s', (host, expected) => {
    expect(getVerdict({ ...request([AUTHORITY]), host })).toBe(expected);
  });

  it('treats an empty signed path as the root only for DuckDuckBot', () => {
    const emptyPath = { name: '"@path"', line: '"@path": ' };
    const headers = request([AUTHORITY, emptyPath]);
    const duckDuckBotContext = { getAgentByDirectory: () => ({ id: '3', token: 'DuckDuckBot' }) as AgentDefinition };
    expect(getVerdict(headers, { path: '/' }, duckDuckBotContext)).toBe('verified ok');
    expect(getVerdict(headers, { path: '' }, duckDuckBotContext)).toBe('verified ok');
    expect(getVerdict(headers, { path: '/a' }, duckDuckBotContext)).toBe('invalid bad_signature');
    expect(getVerdict(headers, { path: '/' })).toBe('invalid bad_signature');
  });

  it('returns a promise if the directory must be fetched', async () => {
    const key = parseKeySet(publicKey.export({ format: 'jwk' })).get(KEY_ID)!;
    const verdict = verifyWebBotAuth(
      { headers: normalizeHeaders(request([AUTHORITY])), method: null, path: null, at: REQUEST_TIME_MS },
      createContext({ directories: { find: () => Promise.resolve({ key }) } }),
    );
    expect(verdict).toBeInstanceOf(Promise);
    expect(await verdict).toMatchObject({ outcome: 'verified', agent: AGENT_ONE });
  });

  it.each([
    [CREATED_SECONDS - 31, 'invalid created_in_future'],
    [CREATED_SECONDS - 30, 'verified ok'],
    [CREATED_SECONDS + 90, 'verified ok'],
    [CREATED_SECONDS + 91, 'invalid expired'],
    [NaN, 'invalid created_in_future'],
  ])('checks the validity period of a signature at %d: %s', (now, expected) => {
    expect(getVerdict(request([AUTHORITY]), { at: now * 1_000 })).toBe(expected);
  });

  it('limits the lifetime of a signature to one day', () => {
    const parameters = PARAMETERS.replace(/expires=\d+/, 'expires=9999999999');
    expect(getVerdict(request([AUTHORITY], { parameters }), { at: REQUEST_TIME_MS + 86_430_000 })).toBe('verified ok');
    expect(getVerdict(request([AUTHORITY], { parameters }), { at: REQUEST_TIME_MS + 86_431_000 })).toBe(
      'invalid expired',
    );
  });

  it.each([
    [{ nbf: CREATED_SECONDS + 31 }, 'invalid key_not_yet_valid'],
    [{ nbf: CREATED_SECONDS + 30, exp: CREATED_SECONDS - 30 }, 'verified ok'],
    [{ exp: CREATED_SECONDS - 31 }, 'invalid key_expired'],
  ])('checks the validity period of a key with %j: %s', (bounds, expected) => {
    const key = [...parseKeySet({ ...publicKey.export({ format: 'jwk' }), ...bounds }).values()][0]!;
    expect(getVerdict(request([AUTHORITY]), {}, { directories: { find: () => ({ key }) } })).toBe(expected);
  });

  it.each([
    [';created=1', 'invalid missing_parameters'],
    [PARAMETERS.replace(/created=\d+/, 'created="x"'), 'invalid signature_input_unreadable'],
    [PARAMETERS.replace(/created=\d+/, 'created=1.5'), 'invalid signature_input_unreadable'],
    [PARAMETERS.replace(/expires=\d+/, `expires=${CREATED_SECONDS}`), 'invalid signature_input_unreadable'],
    [PARAMETERS.replace(/keyid="[^"]*"/, 'keyid=abc'), 'invalid signature_input_unreadable'],
    [`${PARAMETERS};nonce=7`, 'invalid signature_input_unreadable'],
    [`${PARAMETERS};alg=ed25519`, 'invalid signature_input_unreadable'],
    [`${PARAMETERS};alg="ed25519"`, 'verified ok'],
    [`${PARAMETERS};alg="ecdsa-p256-sha256"`, 'invalid algorithm_mismatch'],
    [`${PARAMETERS};alg="hmac-sha256"`, 'unverified algorithm_not_allowed'],
    [`${PARAMETERS};alg="rsa-v1_5-sha256"`, 'unverified algorithm_not_allowed'],
    [`${PARAMETERS};alg="toString"`, 'unverified algorithm_not_allowed'],
  ])('validates the parameters %s: %s', (parameters, expected) => {
    const all = parameters.includes('tag=') ? parameters : `${parameters};tag="web-bot-auth"`;
    expect(getVerdict(request([AUTHORITY], { parameters: all }))).toBe(expected);
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
  ])('handles incomplete or malformed headers %j: %s', (headers, expected) => {
    expect(getVerdict(headers as Record<string, string>)).toBe(expected);
  });

  it.each(['signature', 'signature-input', 'signature-agent', 'host'])(
    'does not refute a signature if the %s header was redacted',
    (name) => {
      expect(getVerdict({ ...request([AUTHORITY]), [name]: '[redacted]' })).toBe('unverified component_unavailable');
    },
  );

  it('rejects invalid names, invalid values and oversized values', () => {
    const validHeaders = request([AUTHORITY]);
    const agent = { 'signature-agent': '"https://one.test"' };
    expect(
      getVerdict({ ...agent, ...createSignatureHeaders([{ input: `("@authority" Token)${PARAMETERS}`, lines: [] }]) }),
    ).toBe('invalid signature_input_unreadable');
    expect(getVerdict({ ...validHeaders, signature: 'sig1="text"' })).toBe('invalid signature_value_unreadable');
    expect(getVerdict({ ...validHeaders, signature: 'sig1=:!:' })).toBe('invalid signature_value_unreadable');
    expect(getVerdict({ ...validHeaders, signature: 'sig1=:AAAA:' })).toBe('invalid bad_signature');
    expect(getVerdict({ ...validHeaders, signature: `${validHeaders['signature']}, b=:${'A'.repeat(9_000)}:` })).toBe(
      'invalid signature_value_unreadable',
    );
  });

  it('rejects duplicate components in any parameter order and limits their number', () => {
    const duplicates = [AUTHORITY, { name: '"x";key="a";sf', line: '' }, { name: '"x";sf;key="a"', line: '' }];
    expect(getVerdict(request(duplicates))).toBe('invalid duplicate_component');
    const manyComponents = Array.from({ length: 32 }, (_, index) => ({
      name: `"x-${index}"`,
      line: `"x-${index}": 1`,
    }));
    const fields = Object.fromEntries(manyComponents.map((_, index) => [`x-${index}`, '1']));
    expect(getVerdict(request([AUTHORITY, ...manyComponents.slice(2)], fields))).toBe('verified ok');
    expect(getVerdict(request([AUTHORITY, ...manyComponents], fields))).toBe('unverified component_unavailable');
  });

  it('computes a component once for all candidates and does not refute candidates that are too long', () => {
    const value = 'a'.repeat(4_000);
    const method = { name: '"@method"', line: '"@method": OPTIONS' };
    const field = { name: '"x";sf', line: `"x";sf: ${value}` };
    expect(getVerdict(request([AUTHORITY, method, field], { x: value }), { method: 'OPTIONS' })).toBe('verified ok');
    expect(getVerdict(request([AUTHORITY, method, field], { x: value }))).toBe('verified ok');
    // This value just fits with GET. With OPTIONS, the signature base exceeds the maximum length.
    const otherLines = [AUTHORITY.line, '"@method": GET', '"x": ', '"signature-agent": "https://one.test"', ''];
    const longestValue = 'a'.repeat(16_384 - otherLines.join('\n').length);
    const longField = { name: '"x"', line: `"x": ${longestValue}` };
    expect(getVerdict(request([AUTHORITY, method, longField], { x: longestValue }))).toBe(
      'unverified component_unavailable',
    );
  });

  it('returns the best label, preferring the agent named in the User-Agent', () => {
    const labels = ['one', 'two', 'bad', 'none', 'lost'].map((label) => {
      const parameters = label === 'lost' ? PARAMETERS.replace(KEY_ID, 'lost') : PARAMETERS;
      const input = `("@authority" "signature-agent";key="${label}")${parameters}`;
      const url =
        label === 'two' ? 'https://two.test/keys' : label === 'none' ? 'https://none.test' : 'https://one.test';
      const value = label === 'bad' ? 'wrong' : url;
      const lines = [AUTHORITY.line, `"signature-agent";key="${label}": "${value}"`];
      return { label, input, lines, member: `${label}="${url}"` };
    });
    const createHeaders = (...labelNames: string[]) => {
      const selectedLabels = labelNames.map((name) => labels.find(({ label }) => label === name)!);
      return normalizeHeaders({
        host: 'shop.example',
        'signature-agent': selectedLabels.map(({ member }) => member).join(', '),
        ...createSignatureHeaders(selectedLabels),
      });
    };
    const bestResult = (labelNames: string[], userAgentAgent: AgentDefinition | null = null) => {
      const { outcome, agent, steps } = verifyRequest({ headers: createHeaders(...labelNames) }, { userAgentAgent });
      expect(steps.map(({ label }) => label)).toEqual(labelNames);
      return `${outcome} ${agent?.token}`;
    };
    expect(bestResult(['one', 'two'])).toBe('verified One');
    expect(bestResult(['one', 'two'], AGENT_TWO)).toBe('verified Two');
    expect(bestResult(['bad', 'none', 'two'], AGENT_ONE)).toBe('verified Two');
    expect(bestResult(['none', 'bad'])).toBe('invalid One');
    expect(bestResult(['none', 'lost'])).toBe('unverified One');
    expect(bestResult(['none'])).toBe('unverified undefined');
  });

  it('checks at most eight signature labels', () => {
    const labels = Array.from({ length: 9 }, (_, index) => ({
      label: `l${index}`,
      input: `("@authority" "signature-agent")${PARAMETERS}`,
      lines: [],
    }));
    const headers = {
      host: 'shop.example',
      'signature-agent': '"https://one.test"',
      ...createSignatureHeaders(labels),
    };
    expect(verifyRequest({ headers: normalizeHeaders(headers) }).steps).toHaveLength(8);
  });
});
