import { register } from 'prom-client';
import type { DnsAnswer } from '#libs/agents';
import { InMemoryKeyValue } from '#libs/cache';
import { TestDnsServer } from '../../../test/kit/dns.js';
import { until } from '../../../test/kit/instance.js';
import { CachedDns, MAX_LOOKUPS, MAX_WAITING } from './dns-resolver.js';

const KNOWN = 'known.example';
const VALUES = ['192.0.2.1', '192.0.2.2'];

let server: TestDnsServer;
let now = Date.now();
let dns: CachedDns;

beforeEach(async () => {
  server = await TestDnsServer.start();
  server.set('A', KNOWN, VALUES);
  dns = open([server.address]);
});
afterEach(async () => {
  dns.close();
  await server.stop();
});

const open = (servers: string[]) => new CachedDns({ servers, keyValue: new InMemoryKeyValue(), now: () => now });
const hosts = (count: number, prefix = 'host') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}.example`);
const ask = (...names: string[]): Promise<DnsAnswer>[] => names.map(async (name) => dns.addresses(name, 4));
const all = (answers: Promise<DnsAnswer>[], answer: DnsAnswer) =>
  expect(Promise.all(answers)).resolves.toEqual(answers.map(() => answer));

const isSilent = async (): Promise<boolean> =>
  (await register.getSingleMetric('agent_traffic_dns_servers_silent')!.get()).values[0]?.value === 1;

describe('CachedDns with slow servers', () => {
  it('retries after a lost datagram', async () => {
    server.failure = 'silence';
    const answer = dns.addresses(KNOWN, 4);
    await until(() => server.asked.length === 1, { what: 'the server was asked' });
    server.failure = null;
    expect(await answer).toEqual({ values: VALUES });
    expect(server.asked).toHaveLength(2);
  });

  it('queries the second server if the first is silent', async () => {
    const silent = await TestDnsServer.start();
    silent.failure = 'silence';
    const both = open([silent.address, server.address]);
    expect(await both.addresses(KNOWN, 4)).toEqual({ values: VALUES });
    expect(silent.asked).not.toEqual([]);
    both.close();
    await silent.stop();
  });

  it('limits lookups in flight and in the queue, and rejects the rest immediately', async () => {
    await dns.addresses(KNOWN, 4);
    server.hold();
    const [first, waiting, refused] = [hosts(MAX_LOOKUPS), hosts(MAX_WAITING, 'waiting'), hosts(7, 'refused')];
    const answers = ask(...first, ...waiting);
    await until(() => server.holding === MAX_LOOKUPS, { what: 'all lookups are under way' });
    const inFlight = await register.getSingleMetric('agent_traffic_dns_lookups_in_flight')!.get();
    expect(inFlight.values[0]!.value).toBe(MAX_LOOKUPS);
    await all(ask(...refused), { fault: 'dns_busy' });
    expect(dns.addresses(KNOWN, 4)).toEqual({ values: VALUES });
    expect(server.holding).toBe(MAX_LOOKUPS);
    server.release();
    await all(answers, { values: [] });
    // Rejections aren't cached.
    await all(ask(...refused), { values: [] });
  });

  it('stops waiting for silent servers and detects their recovery', async () => {
    server.failure = 'silence';
    await all(ask(...hosts(10)), { fault: 'dns_timeout' });
    await until(isSilent, { what: 'it is known that nobody answers' });
    const asked = server.asked.length;
    expect(await dns.addresses(KNOWN, 4)).toEqual({ fault: 'dns_timeout' });
    expect(server.asked).toHaveLength(asked);

    server.failure = null;
    // The servers are probed after a second, and callers don't wait for the probe.
    now += 1_000;
    expect(await dns.addresses(KNOWN, 4)).toEqual({ fault: 'dns_timeout' });
    await until(async () => !(await isSilent()), { what: 'it is known that somebody answers' });
    expect(await dns.addresses(KNOWN, 4)).toEqual({ values: VALUES });
  });

  it('fails queued lookups once the servers are known to be silent', async () => {
    server.failure = 'silence';
    await all(ask(...hosts(MAX_LOOKUPS + MAX_WAITING)), { fault: 'dns_timeout' });
    expect(new Set(server.asked).size).toBeLessThan(MAX_LOOKUPS + 20);
  });

  it('continues querying if only the name servers of visitors are silent', async () => {
    const silent = hosts(40, 'hostile');
    for (const name of silent) server.fail(name, 'silence');
    await all(ask(...silent), { fault: 'dns_timeout' });
    await until(() => server.asked.some((question) => question.endsWith(' ')), { what: 'the neutral question' });
    expect(await dns.addresses(KNOWN, 4)).toEqual({ values: VALUES });
    expect(await isSilent()).toBe(false);
  });

  it('considers servers reachable while they answer any query', async () => {
    for (const prefix of ['before', 'after']) {
      const silent = hosts(9, prefix);
      for (const name of silent) server.fail(name, 'silence');
      await all(ask(...silent), { fault: 'dns_timeout' });
      expect(await dns.addresses(`${prefix}.example`, 4)).toEqual({ values: [] });
    }
  });

  it('cancels in-flight lookups when it is closed', async () => {
    server.hold();
    const answers = ask(...hosts(MAX_LOOKUPS + 5));
    await until(() => server.holding === MAX_LOOKUPS, { what: 'all lookups are under way' });
    // This lookup times out after all the others.
    const other = open([server.address]);
    let isOver = false;
    const last = Promise.resolve(other.addresses(KNOWN, 4)).finally(() => {
      isOver = true;
    });
    dns.close();
    await all(answers, { fault: 'dns_off' });
    expect(isOver).toBe(false);
    other.close();
    await last;
  });
});
