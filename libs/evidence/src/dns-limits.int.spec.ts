import { register } from 'prom-client';
import type { DnsResult } from '#libs/agents';
import { InMemoryKeyValueStore } from '#libs/cache';
import { TestDnsServer } from '../../../test/kit/dns.js';
import { until } from '../../../test/kit/instance.js';
import { CachedDns, MAX_CONCURRENT_LOOKUPS, MAX_QUEUED_LOOKUPS } from './dns-resolver.js';

const CACHED_NAME = 'known.example';
const VALUES = ['192.0.2.1', '192.0.2.2'];

let server: TestDnsServer;
let now = Date.now();
let dns: CachedDns;

beforeEach(async () => {
  server = await TestDnsServer.start();
  server.setRecords('A', CACHED_NAME, VALUES);
  dns = createDns([server.address]);
});
afterEach(async () => {
  dns.close();
  await server.stop();
});

const createDns = (servers: string[]) =>
  new CachedDns({ servers, keyValue: new InMemoryKeyValueStore(), now: () => now });
const createHostNames = (count: number, prefix = 'host') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}.example`);
const lookUpAll = (...names: string[]): Promise<DnsResult>[] => names.map(async (name) => dns.addresses(name, 4));
const expectAll = (answers: Promise<DnsResult>[], answer: DnsResult) =>
  expect(Promise.all(answers)).resolves.toEqual(answers.map(() => answer));

const areServersDown = async (): Promise<boolean> =>
  (await register.getSingleMetric('agent_traffic_dns_servers_silent')!.get()).values[0]?.value === 1;

describe('CachedDns with slow servers', () => {
  it('retries a DNS query after losing a datagram', async () => {
    server.failure = 'silence';
    const answer = dns.addresses(CACHED_NAME, 4);
    await until(() => server.receivedPackets === 1, { condition: 'the server receives the query' });
    server.failure = null;
    expect(await answer).toEqual({ values: VALUES });
    expect(server.receivedPackets).toBeGreaterThan(1);
  });

  it('queries the second server if the first does not respond', async () => {
    const unresponsive = await TestDnsServer.start();
    unresponsive.failure = 'silence';
    const dnsWithBoth = createDns([unresponsive.address, server.address]);
    expect(await dnsWithBoth.addresses(CACHED_NAME, 4)).toEqual({ values: VALUES });
    expect(unresponsive.receivedQuestions).not.toEqual([]);
    dnsWithBoth.close();
    await unresponsive.stop();
  });

  it('limits in-flight and queued lookups and immediately rejects the rest', async () => {
    await dns.addresses(CACHED_NAME, 4);
    server.holdResponses();
    const [first, queued, rejected] = [
      createHostNames(MAX_CONCURRENT_LOOKUPS),
      createHostNames(MAX_QUEUED_LOOKUPS, 'waiting'),
      createHostNames(7, 'refused'),
    ];
    const answers = lookUpAll(...first, ...queued);
    await until(() => server.heldCount === MAX_CONCURRENT_LOOKUPS, { condition: 'all lookups are in flight' });
    const inFlight = await register.getSingleMetric('agent_traffic_dns_lookups_in_flight')!.get();
    expect(inFlight.values[0]!.value).toBe(MAX_CONCURRENT_LOOKUPS);
    await expectAll(lookUpAll(...rejected), { fault: 'dns_busy' });
    expect(dns.addresses(CACHED_NAME, 4)).toEqual({ values: VALUES });
    expect(server.heldCount).toBe(MAX_CONCURRENT_LOOKUPS);
    server.releaseResponses();
    await expectAll(answers, { values: [] });
    // Rejections aren't cached.
    await expectAll(lookUpAll(...rejected), { values: [] });
  });

  it('stops querying unresponsive servers and detects their recovery', async () => {
    server.failure = 'silence';
    await expectAll(lookUpAll(...createHostNames(10)), { fault: 'dns_timeout' });
    await until(areServersDown, { condition: 'the servers are marked as down' });
    const queryCount = server.receivedQuestions.length;
    expect(await dns.addresses(CACHED_NAME, 4)).toEqual({ fault: 'dns_timeout' });
    expect(server.receivedQuestions).toHaveLength(queryCount);

    server.failure = null;
    // The servers are probed after a second. Callers don't wait for the probe.
    now += 1_000;
    expect(await dns.addresses(CACHED_NAME, 4)).toEqual({ fault: 'dns_timeout' });
    await until(async () => !(await areServersDown()), { condition: 'the servers are marked as up' });
    expect(await dns.addresses(CACHED_NAME, 4)).toEqual({ values: VALUES });
  });

  it('fails queued lookups once the servers are marked as down', async () => {
    server.failure = 'silence';
    await expectAll(lookUpAll(...createHostNames(MAX_CONCURRENT_LOOKUPS + MAX_QUEUED_LOOKUPS)), {
      fault: 'dns_timeout',
    });
    expect(new Set(server.receivedQuestions).size).toBeLessThan(MAX_CONCURRENT_LOOKUPS + 20);
  });

  it("continues querying if only visitors' name servers are unresponsive", async () => {
    const unresponsive = createHostNames(40, 'hostile');
    for (const name of unresponsive) server.fail(name, 'silence');
    await expectAll(lookUpAll(...unresponsive), { fault: 'dns_timeout' });
    await until(() => server.receivedQuestions.some((question) => question.endsWith(' ')), {
      condition: 'the probe is sent',
    });
    expect(await dns.addresses(CACHED_NAME, 4)).toEqual({ values: VALUES });
    expect(await areServersDown()).toBe(false);
  });

  it('considers the servers up while they answer any query', async () => {
    for (const prefix of ['before', 'after']) {
      const unresponsive = createHostNames(9, prefix);
      for (const name of unresponsive) server.fail(name, 'silence');
      await expectAll(lookUpAll(...unresponsive), { fault: 'dns_timeout' });
      expect(await dns.addresses(`${prefix}.example`, 4)).toEqual({ values: [] });
    }
  });

  it('cancels in-flight lookups when closed', async () => {
    server.holdResponses();
    const answers = lookUpAll(...createHostNames(MAX_CONCURRENT_LOOKUPS + 5));
    await until(() => server.heldCount === MAX_CONCURRENT_LOOKUPS, { condition: 'all lookups are in flight' });
    // This lookup would time out after all the others.
    const other = createDns([server.address]);
    let hasSettled = false;
    const last = Promise.resolve(other.addresses(CACHED_NAME, 4)).finally(() => {
      hasSettled = true;
    });
    dns.close();
    await expectAll(answers, { fault: 'dns_off' });
    expect(hasSettled).toBe(false);
    other.close();
    await last;
  });
});
