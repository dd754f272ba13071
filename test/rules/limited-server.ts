/** Tests of limits on real servers. Some run in the gate, and others nightly. */
import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { compileCatalog, createCatalog, getBundledCatalog, getBrowserUserAgents } from '#libs/catalog';
import type { LimitServer, PolicyRule } from '#libs/contracts';
import { policyLimits } from '../../apps/rules/src/policy-limits/index.js';
import { WebServer } from './web-servers.ts';

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
export const LIMIT = 60;
const ADDRESSES = 100;
/** Loopback addresses. Only the first range is published for GPTBot. */
const toVerifiedAddress = (index: number): string => `127.1.0.${1 + (index % ADDRESSES)}`;
const toOtherAddress = (index: number): string => `127.2.0.${1 + (index % ADDRESSES)}`;

const bundled = getBundledCatalog();
const agents = bundled.agents.map((agent) =>
  agent.token === 'GPTBot' ? { ...agent, verification: { ip_ranges: ['127.1.0.0/16'] } } : agent,
);
const catalog = compileCatalog(createCatalog({ agents, proxies: [] }));
const rule = (parts: Partial<PolicyRule> = {}): PolicyRule => ({
  id: randomUUID(),
  name: 'Slow down',
  mode: 'live',
  action: { kind: 'slow_down', requests_per_minute: LIMIT },
  ...parts,
});

const servers: WebServer[] = [];

async function startServer(kind: LimitServer, rules: PolicyRule[]): Promise<WebServer> {
  const { files } = policyLimits(rules, kind, catalog);
  const server = await WebServer.startWithLimits(kind, files);
  servers.push(server);
  return server;
}

interface Responses {
  /** Number of responses with each status. */
  counts: Record<number, number>;
  /** Values of Retry-After. */
  waits: Set<string>;
  /** Time that it took, rounded up to seconds. */
  seconds: number;
}

/** Sends requests at the same time. */
async function send(
  server: WebServer,
  count: number,
  toAddress: (index: number) => string,
  { userAgent = GPTBOT, path = '/' } = {},
): Promise<Responses> {
  const startedAt = performance.now();
  const responses: Responses = { counts: {}, waits: new Set(), seconds: 0 };
  const sendOne = async (index: number): Promise<void> => {
    const dispatcher = new Agent({ localAddress: toAddress(index) });
    const response = await fetch(server.url + path, {
      headers: { 'user-agent': userAgent },
      dispatcher,
    } as RequestInit);
    await response.arrayBuffer();
    await dispatcher.close();
    responses.counts[response.status] = (responses.counts[response.status] ?? 0) + 1;
    if (response.status === 429) responses.waits.add(response.headers.get('retry-after')!);
  };
  await Promise.all(Array.from({ length: count }, (_, index) => sendOne(index)));
  responses.seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  return responses;
}

/**
 * Declares the tests for a server.
 *
 * @param atOnce Requests that the server lets through at once, before it waits for the allowance to refill.
 * @param waits Possible values of Retry-After.
 */
export function testLimits(
  kind: LimitServer,
  { atOnce, waits: possible }: { atOnce: number; waits: readonly string[] },
): void {
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.dispose()));
  });

  function expectLimited({ counts, waits, seconds }: Responses): void {
    expect(counts[200]).toBeGreaterThanOrEqual(atOnce);
    expect(counts[200]).toBeLessThanOrEqual(atOnce + seconds);
    expect(counts[200]! + counts[429]!).toBe(2 * ADDRESSES);
    expect(waits.size).toBeGreaterThan(0);
    expect(possible).toEqual(expect.arrayContaining([...waits]));
  }

  it('limits an agent across its addresses, without an effect of impostors', async () => {
    const server = await startServer(kind, [rule()]);
    expectLimited(await send(server, 2 * ADDRESSES, toOtherAddress));
    expectLimited(await send(server, 2 * ADDRESSES, toVerifiedAddress));
  });

  it('never limits people, or access to /robots.txt and /.well-known/', async () => {
    const server = await startServer(kind, [rule({ action: { kind: 'slow_down', requests_per_minute: 1 } })]);
    for (const userAgent of [...getBrowserUserAgents().slice(0, 5), 'unknown/1.0']) {
      expect((await send(server, 40, toOtherAddress, { userAgent })).counts).toEqual({ 200: 40 });
    }
    expect((await send(server, 40, toOtherAddress, { path: '/robots.txt?a' })).counts).toEqual({ 200: 40 });
    expect((await send(server, 40, toOtherAddress, { path: '/.well-known/a.html' })).counts).toEqual({ 200: 40 });
    for (const path of ['/.well-known/%2e%2e/', '/.well-known/..%2f', '/robots.txt/', '/a.html']) {
      expect([path, (await send(server, 20, toOtherAddress, { path })).counts[429]! > 0]).toEqual([path, true]);
    }
  });

  it('applies the limit of the first rule that matches the agent and its verification', async () => {
    const server = await startServer(kind, [
      rule({ mode: 'dry_run', action: { kind: 'slow_down', requests_per_minute: 1 } }),
      rule({ visitors: { results: ['verified'] }, action: { kind: 'allow' } }),
      rule({ visitors: { agent_tokens: ['GPTBot'] } }),
    ]);
    expect((await send(server, 2 * ADDRESSES, toVerifiedAddress)).counts).toEqual({ 200: 2 * ADDRESSES });
    expectLimited(await send(server, 2 * ADDRESSES, toOtherAddress));
    const { counts } = await send(server, 40, toOtherAddress, { userAgent: 'ClaudeBot/1.0' });
    expect(counts).toEqual({ 200: 40 });
  });

  it('accepts a configuration without limits', async () => {
    const server = await startServer(kind, []);
    expect((await send(server, 20, toVerifiedAddress)).counts).toEqual({ 200: 20 });
  });
}
