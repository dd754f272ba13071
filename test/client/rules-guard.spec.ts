import { jest } from '@jest/globals';
import { parseKeySet } from '#libs/agents';
import { AgentTraffic } from '../../libs/client/src/index.js';
import type { EnforceOptions } from '../../libs/client/src/rules-guard.js';
import { addDecision } from '../../libs/client/src/decisions.js';
import { createCatalog, createSnapshotCatalog } from '#libs/catalog';
import type { PolicyRule } from '#libs/contracts';
import { SNAPSHOT_VERSION, type SnapshotContent } from '#libs/engine';
import { Engine } from '../../libs/engine/src/package.js';
import { publicKey as signingKey } from '../kit/signed-requests.js';
import { publicKey, signSnapshot } from '../kit/signed-snapshots.js';

const id = (n: number): string => `018f0000-0000-7000-8000-00000000000${n}`;
const agent = (token: string, verification: object) => ({
  token,
  type: 'AI Data Scraper',
  operator: 'Example',
  url: null,
  user_agent_patterns: [token],
  robots_token: token,
  verification,
});
const DIRECTORY = 'https://keys.example/.well-known/http-message-signatures-directory';
/** Directory of an agent that the snapshot doesn't contain. */
const MISSING_DIRECTORY = DIRECTORY.replace('keys', 'new-keys');
const catalog = createSnapshotCatalog(
  createCatalog({
    agents: [
      agent('RangeBot', { ip_ranges: ['192.0.2.0/24'] }),
      agent('NameBot', { reverse_dns_suffixes: ['example.com'] }),
      agent('SignBot', { signature_agents: [DIRECTORY] }),
      agent('NewBot', { signature_agents: [MISSING_DIRECTORY] }),
    ],
    proxies: [],
  }),
  new Map([[DIRECTORY, parseKeySet(signingKey.export({ format: 'jwk' }))]]),
  false,
  Date.now(),
);
const rule = (n: number, parts: Partial<PolicyRule>): PolicyRule => ({
  id: id(n),
  name: `Rule ${n}`,
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});

/** Instance that serves a snapshot. Tests can change its rules, make it unreachable, or count its requests. */
class FakeInstance {
  rules: PolicyRule[] = [];
  isReachable = true;
  content = '';
  readonly requests: string[] = [];
  verificationDelay: Promise<void> | null = null;
  verification: object = { result: 'verification_failed', agent_token: 'NameBot', agent_type_name: 'AI Data Scraper' };
  readonly token = `agt_${Math.random()}`;

  readonly fetch: typeof fetch = async (url, init) => {
    const { pathname } = new URL(url as string);
    this.requests.push(pathname);
    if (!this.isReachable) throw new Error('connection refused');
    if (pathname === '/agent-verifications') {
      await this.verificationDelay;
      return Response.json(this.verification);
    }
    if (pathname !== '/snapshot') return Response.json({ keys: [publicKey] });
    const site = { trustedProxies: {}, hostNames: [] };
    const snapshot: SnapshotContent = { version: SNAPSHOT_VERSION, site, rules: this.rules, catalog };
    const { manifest, content } = signSnapshot(snapshot, Date.now(), this.token);
    const headers = { 'agent-traffic-manifest': manifest, etag: `"${this.rules.length}"` };
    const isUnchanged = new Headers(init?.headers).get('if-none-match') === headers.etag;
    return isUnchanged ? new Response(null, { status: 304, headers }) : new Response(content, { headers });
  };

  createGuard(options: EnforceOptions = {}) {
    const client = new AgentTraffic({
      url: 'https://traffic.example',
      token: this.token,
      engine: Engine,
      fetch: this.fetch,
      onProblem: () => undefined,
    });
    return client.enforce(options);
  }
}

const request = (userAgent: string, client_address: string, request_path = '/page') => ({
  request_path,
  request_method: 'GET',
  request_headers: { host: 'site.example', 'user-agent': userAgent },
  client_address,
});

let instance: FakeInstance;
beforeEach(() => {
  instance = new FakeInstance();
});

/** Creates a guard that has its snapshot. */
async function createReadyGuard(options: EnforceOptions = {}) {
  const guard = instance.createGuard(options);
  await instance.createGuard({ whenUndecided: 'wait', timeoutMs: 60_000 }).refusal(request('x', '192.0.2.1'));
  while ((await guard.refusal(request('RangeBot', '192.0.2.1', '/ready'))) === null) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  instance.requests.length = 0;
  return guard;
}
const READY = rule(9, { requests: { paths: ['/ready'] } });

it('applies rules without a request to the instance, and attaches the decisions to the visit', async () => {
  instance.rules = [READY, rule(1, { visitors: { results: ['verified'] } }), rule(2, { mode: 'dry_run' })];
  const guard = await createReadyGuard();
  expect(await guard.refusal(request('RangeBot', '192.0.2.1'))).toMatchObject({ status: 403 });
  const spoofed = request('RangeBot', '198.51.100.1');
  expect(await guard.refusal(spoofed)).toBeNull();
  expect(addDecision(spoofed, spoofed).response_headers).toEqual({
    'agent-traffic-decision': `refused;dry_run;${id(2)}`,
  });
  expect(await guard.refusal(request('Firefox', '192.0.2.1'))).toBeNull();
  expect(await guard.refusal(request('RangeBot', '192.0.2.1', '/robots.txt'))).toBeNull();
  expect(instance.requests).toEqual([]);
});

it('responds with the action of the rule', async () => {
  instance.rules = [
    READY,
    rule(1, { requests: { paths: ['/pay'] }, action: { kind: 'charge', price: 'USD 1', url: 'https://pay.example/' } }),
    rule(2, { requests: { paths: ['/a'] }, action: { kind: 'redirect', status: 308, location: '/{path}.md' } }),
    rule(3, { action: { kind: 'slow_down', requests_per_minute: 3 } }),
  ];
  const guard = await createReadyGuard();
  const respond = (path: string, address = '192.0.2.1') => guard.refusal(request('RangeBot', address, path));
  expect(await respond('/pay')).toMatchObject({
    status: 402,
    headers: { link: expect.stringContaining('pay.example') },
  });
  expect(await respond('/a?b')).toMatchObject({ status: 308, headers: { location: '/a.md?b' } });
  const statuses = [];
  for (let visit = 0; visit < 5; visit += 1) statuses.push((await respond('/x', `192.0.2.${visit}`))?.status);
  expect(statuses).toEqual([undefined, undefined, undefined, 429, 429]);
  // Impostors have their own allowance.
  expect(await respond('/x', '198.51.100.1')).toBeNull();
});

it('lets visitors pass that only the instance can verify, and asks it once in the background', async () => {
  instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
  const guard = await createReadyGuard();
  expect(await guard.refusal(request('NameBot', '192.0.2.1'))).toBeNull();
  while ((await guard.refusal(request('NameBot', '192.0.2.1'))) === null) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(instance.requests).toEqual(['/agent-verifications']);
});

it('waits for the instance if the owner chose so', async () => {
  instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
  const guard = await createReadyGuard({ whenUndecided: 'wait' });
  expect(await guard.refusal(request('NameBot', '192.0.2.1'))).toMatchObject({ status: 403 });
});

it("decides without the instance if the visitor's verification doesn't matter", async () => {
  instance.rules = [READY, rule(1, { visitors: { agent_tokens: ['NameBot'] } })];
  const guard = await createReadyGuard();
  expect(await guard.refusal(request('NameBot', '192.0.2.1'))).toMatchObject({ status: 403 });
  expect(instance.requests).toEqual([]);
});

const bogusSignature = (host = 'keys.example') => {
  const created = Math.floor(Date.now() / 1_000);
  const parameters = `;created=${created};expires=${created + 60};keyid="unknown";tag="web-bot-auth"`;
  return {
    'signature-agent': `"https://${host}"`,
    'signature-input': `sig1=("@authority" "signature-agent")${parameters}`,
    signature: `sig1=:${Buffer.alloc(64).toString('base64')}:`,
  };
};

it('applies rules to requests whose signature names an unknown key, without asking the instance', async () => {
  instance.rules = [READY, rule(1, { visitors: { results: ['not_verifiable'] } })];
  const guard = await createReadyGuard();
  const { request_headers: headers, ...rest } = request('SignBot', '192.0.2.1');
  expect(await guard.refusal({ ...rest, request_headers: { ...headers, ...bogusSignature() } })).toMatchObject({
    status: 403,
  });
  expect(instance.requests).toEqual([]);
});

describe('a signature that names a directory missing in the snapshot', () => {
  const signed = () => {
    const { request_headers: headers, ...rest } = request('NewBot', '192.0.2.1');
    return { ...rest, request_headers: { ...headers, ...bogusSignature('new-keys.example') } };
  };

  it.each(['verification_failed', 'not_verifiable'] as const)(
    'passes once, and asks the instance once if the result is %s',
    async (result) => {
      instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed', 'not_verifiable'] } })];
      instance.verification = { result, agent_token: 'NewBot' };
      const guard = await createReadyGuard();
      expect(await guard.refusal(signed())).toBeNull();
      while ((await guard.refusal(signed())) === null) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await guard.refusal(signed())).toMatchObject({ status: 403 });
      expect(instance.requests).toEqual(['/agent-verifications']);
    },
  );

  it('is verified for each request', async () => {
    instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
    instance.verification = { result: 'verified', agent_token: 'NewBot' };
    const guard = await createReadyGuard({ whenUndecided: 'wait' });
    for (let visit = 0; visit < 2; visit += 1) expect(await guard.refusal(signed())).toBeNull();
    expect(instance.requests).toEqual(['/agent-verifications', '/agent-verifications']);
  });

  it('waits for the instance if the owner chose so', async () => {
    instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
    instance.verification = { result: 'verification_failed', agent_token: 'NewBot' };
    const guard = await createReadyGuard({ whenUndecided: 'wait' });
    expect(await guard.refusal(signed())).toMatchObject({ status: 403 });
  });
});

it('caches the DNS verification of visitors that also send a bogus signature', async () => {
  instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
  const guard = await createReadyGuard();
  const { request_headers: headers, ...rest } = request('NameBot', '192.0.2.1');
  const signed = { ...rest, request_headers: { ...headers, signature: 'sig1=:AAAA:' } };
  while ((await guard.refusal(signed)) === null) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(instance.requests).toEqual(['/agent-verifications']);
});

it('counts visitors that are not verified yet against the allowance of unverified visitors', async () => {
  instance.rules = [READY, rule(1, { action: { kind: 'slow_down', requests_per_minute: 2 } })];
  const guard = await createReadyGuard();
  const statuses = [];
  for (let visit = 0; visit < 4; visit += 1) {
    statuses.push((await guard.refusal(request('NameBot', `2001:db8:0:${visit}::1`)))?.status);
  }
  expect(statuses).toEqual([undefined, undefined, 429, 429]);
});

it('limits the number of pending requests to the instance', async () => {
  instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
  const guard = await createReadyGuard({ timeoutMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  instance.verificationDelay = promise;
  const pending: Promise<unknown>[] = [];
  const waitUntil = (answer: Promise<unknown>): void => void pending.push(answer);
  for (let visit = 0; visit < 60; visit += 1) {
    await guard.refusal(request('NameBot', `192.0.2.${visit}`), { waitUntil });
  }
  expect(instance.requests).toHaveLength(50);
  expect(pending).toHaveLength(50);
  resolve();
  await Promise.all(pending);
});

it.each([
  ['asks again soon after a slow answer', 300, 2],
  ['caches a quick answer', 0, 1],
])('if the instance cannot verify a visitor, %s', async (_, delayMs, requests) => {
  instance.rules = [READY, rule(1, { visitors: { results: ['verification_failed'] } })];
  instance.verification = { result: 'not_verifiable', agent_token: 'NameBot' };
  const guard = await createReadyGuard({ whenUndecided: 'wait' });
  const start = performance.now();
  const now = jest.spyOn(performance, 'now').mockReturnValue(start);
  try {
    const { promise, resolve } = Promise.withResolvers<void>();
    instance.verificationDelay = promise;
    const response = guard.refusal(request('NameBot', '192.0.2.1'));
    while (instance.requests.length === 0) await new Promise((wake) => setTimeout(wake, 1));
    now.mockReturnValue(start + delayMs);
    resolve();
    await response;
    now.mockReturnValue(start + 10_000);
    await guard.refusal(request('NameBot', '192.0.2.1'));
    expect(instance.requests).toEqual(Array.from({ length: requests }, () => '/agent-verifications'));
  } finally {
    now.mockRestore();
  }
});

it('applies path rules to absolute request targets', async () => {
  instance.rules = [READY, rule(1, { requests: { paths: ['/private'] } })];
  const guard = await createReadyGuard();
  expect(await guard.refusal(request('RangeBot', '192.0.2.1', 'http://site.example/private'))).toMatchObject({
    status: 403,
  });
});

it('keeps the runtime alive until a snapshot is downloaded, and replaces a canceled download', async () => {
  const pending: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>): void => void pending.push(promise);
  instance.rules = [rule(1, {})];
  const download = instance.fetch;
  const client = new AgentTraffic({
    url: 'https://traffic.example',
    token: instance.token,
    engine: Engine,
    fetch: (...parameters) => (pending.length === 0 ? new Promise(() => undefined) : download(...parameters)),
    timeoutMs: 10,
    onProblem: () => undefined,
  });
  const guard = client.enforce();
  expect(await guard.refusal(request('RangeBot', '192.0.2.1'), { waitUntil })).toBeNull();
  expect(pending).toHaveLength(1);
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
  try {
    await guard.refusal(request('RangeBot', '192.0.2.1'), { waitUntil });
    expect(pending).toHaveLength(2);
    await pending[1];
    expect(await guard.refusal(request('RangeBot', '192.0.2.1'), { waitUntil })).toMatchObject({ status: 403 });
  } finally {
    now.mockRestore();
  }
});

it('lets every request pass while no snapshot is available', async () => {
  instance.rules = [rule(1, {})];
  instance.isReachable = false;
  const guard = instance.createGuard({ whenUndecided: 'wait', timeoutMs: 50 });
  expect(await guard.refusal(request('RangeBot', '192.0.2.1'))).toBeNull();
});

it('requires the engine', () => {
  expect(() => new AgentTraffic({ url: 'https://traffic.example', token: 'agt_1' }).enforce()).toThrow('engine');
});
