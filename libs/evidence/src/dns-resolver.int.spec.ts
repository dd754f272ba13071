import { register } from 'prom-client';
import { parseAddress, checkReverseDns, type Address } from '#libs/agents';
import { InMemoryKeyValueStore, KeyValueStore, RedisUnavailableError } from '#libs/cache';
import { TestDnsServer } from '../../../test/kit/dns.js';
import { CachedDns } from './dns-resolver.js';
import type { DnsServers } from './dns-servers.js';

const GOOGLE = '66.249.66.1';
const GOOGLE_PTR = '1.66.249.66.in-addr.arpa';
const CRAWL = 'crawl-66-249-66-1.googlebot.com';
const SPOOF = '95.216.227.158';
const SPOOF_PTR = '158.227.216.95.in-addr.arpa';
const SPOOFED = 'crawl-95-216-227-158.googlebot.com';
const IPV6 = '2001:db8:0:1::a0';
const IPV6_PTR = '0.a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa';

const START = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const toAddress = (text: string): Address => parseAddress(text)!;

let server: TestDnsServer;
let keyValue: KeyValueStore;
let now: number;
let opened: CachedDns[];

beforeEach(async () => {
  server = await TestDnsServer.start();
  keyValue = new InMemoryKeyValueStore();
  now = START;
  opened = [];
});
afterEach(async () => {
  for (const dns of opened) dns.close();
  await server.stop();
});

function createDns(servers: DnsServers = [server.address], shared = keyValue): CachedDns {
  const dns = new CachedDns({ servers, keyValue: shared, now: () => now });
  opened.push(dns);
  return dns;
}

const judge = (dns: CachedDns, text: string, at = now) =>
  checkReverseDns(toAddress(text), ['googlebot.com'], dns, { at, now });

function setUpGooglebot(): void {
  server.setRecords('PTR', GOOGLE_PTR, ['Crawl-66-249-66-1.GoogleBot.com']);
  server.setRecords('A', CRAWL, ['192.0.2.1', GOOGLE]);
}

describe('reverse DNS through CachedDns', () => {
  it('confirms an IPv4 address once, then uses the cached result, even in other processes', async () => {
    setUpGooglebot();
    const dns = createDns();
    const step = { outcome: 'pass', reason: 'ok', host_names: [CRAWL], confirmed_host_name: CRAWL };
    expect(await judge(dns, GOOGLE)).toMatchObject(step);
    expect(server.receivedQuestions).toEqual([`PTR ${GOOGLE_PTR}`, `A ${CRAWL}`]);
    expect(judge(dns, GOOGLE)).toMatchObject(step);
    const other = createDns();
    expect(await judge(other, GOOGLE)).toMatchObject(step);
    expect(judge(other, GOOGLE)).toMatchObject(step);
    expect(server.receivedQuestions).toHaveLength(2);
  });

  it('confirms an IPv6 address', async () => {
    server.setRecords('PTR', IPV6_PTR, ['crawl.googlebot.com']);
    server.setRecords('A', 'crawl.googlebot.com', [GOOGLE]);
    server.setRecords('AAAA', 'crawl.googlebot.com', ['2001:db8:0:1:0:0:0:a0']);
    expect(await judge(createDns(), IPV6)).toMatchObject({
      outcome: 'pass',
      confirmed_host_name: 'crawl.googlebot.com',
    });
    expect(server.receivedQuestions).toEqual([`PTR ${IPV6_PTR}`, 'AAAA crawl.googlebot.com']);
  });

  it('rejects a forged PTR record', async () => {
    server.setRecords('PTR', SPOOF_PTR, [SPOOFED]);
    const refuted = { outcome: 'fail', reason: 'host_name_not_confirmed', host_names: [SPOOFED] };
    expect(await judge(createDns(), SPOOF)).toMatchObject(refuted);
    // The name exists, but it resolves to another address or has no record for the address family.
    server.setRecords('A', SPOOFED, [GOOGLE]);
    expect(await judge(createDns([server.address], new InMemoryKeyValueStore()), SPOOF)).toMatchObject(refuted);
    server.setRecords('A', SPOOFED, []);
    expect(await judge(createDns([server.address], new InMemoryKeyValueStore()), SPOOF)).toMatchObject(refuted);
    server.setRecords('PTR', SPOOF_PTR, ['googlebot.com.evil.example']);
    expect(await judge(createDns([server.address], new InMemoryKeyValueStore()), SPOOF)).toMatchObject({
      outcome: 'fail',
      reason: 'host_name_not_listed',
    });
  });

  it('rejects an address without a host name and caches the result', async () => {
    const dns = createDns();
    expect(await judge(dns, SPOOF)).toMatchObject({ outcome: 'fail', reason: 'no_host_name' });
    expect(judge(dns, SPOOF)).toMatchObject({ outcome: 'fail', reason: 'no_host_name' });
    expect(judge(dns, SPOOF, now - 8 * 24 * HOUR_MS)).toMatchObject({ outcome: 'unknown', reason: 'visit_too_old' });
    expect(server.receivedQuestions).toHaveLength(1);
  });

  it.each([
    ['SERVFAIL', 'dns_error'],
    ['REFUSED', 'dns_error'],
    ['silence', 'dns_timeout'],
  ] as const)('returns unknown if the PTR or address lookup ends in %s', async (failure, reason) => {
    setUpGooglebot();
    server.fail(GOOGLE_PTR, failure);
    server.setRecords('PTR', SPOOF_PTR, [SPOOFED]);
    server.fail(SPOOFED, failure);
    const dns = createDns();
    expect(await judge(dns, GOOGLE)).toMatchObject({ outcome: 'unknown', reason, host_names: [] });
    expect(await judge(dns, SPOOF)).toMatchObject({ outcome: 'unknown', reason, host_names: [SPOOFED] });
  });

  it('returns unknown if the DNS server is unreachable', async () => {
    const { address } = server;
    await server.stop();
    expect(await judge(createDns([address]), GOOGLE)).toMatchObject({ outcome: 'unknown', reason: 'dns_error' });
    server = await TestDnsServer.start();
  });

  it('returns unknown if DNS is turned off or closed', () => {
    expect(judge(createDns('off'), GOOGLE)).toMatchObject({ outcome: 'unknown', reason: 'dns_off' });
    const closed = createDns();
    closed.close();
    expect(judge(closed, GOOGLE)).toMatchObject({ outcome: 'unknown', reason: 'dns_off' });
    expect(server.receivedQuestions).toEqual([]);
  });

  it('rejects a server that is not an IP address', () => {
    expect(() => createDns(['ns.example'])).toThrow(/ns\.example/);
  });
});

describe('CachedDns', () => {
  /** Returns true if a lookup repeated after `after` milliseconds queries the server again. */
  async function queriesAgain(ask: (dns: CachedDns) => unknown, after: number): Promise<boolean> {
    const dns = createDns([server.address], new InMemoryKeyValueStore());
    now = START;
    await ask(dns);
    const before = server.receivedQuestions.length;
    now = START + after;
    await ask(dns);
    return server.receivedQuestions.length > before;
  }

  it('caches answers for their TTL, with a minimum and a maximum', async () => {
    setUpGooglebot();
    server.setRecords('A', 'short.example', [GOOGLE], 1);
    server.setRecords('A', 'long.example', [GOOGLE], 30 * 86_400);
    server.setRecords('A', 'two-hours.example', [GOOGLE], 7_200);
    server.fail('failing.example', 'SERVFAIL');
    const lookUpA = (name: string) => (dns: CachedDns) => dns.addresses(name, 4);
    const lookUpPtr = (dns: CachedDns) => dns.hostNames(toAddress(GOOGLE));
    const expectedTtls: [(dns: CachedDns) => unknown, number][] = [
      [lookUpPtr, HOUR_MS],
      [lookUpA('short.example'), 5 * MINUTE_MS],
      [lookUpA('two-hours.example'), 2 * HOUR_MS],
      [lookUpA('long.example'), 24 * HOUR_MS],
      [lookUpA('nothing.example'), 30 * MINUTE_MS],
      [(dns) => dns.hostNames(toAddress(SPOOF)), 30 * MINUTE_MS],
      [lookUpA('failing.example'), MINUTE_MS / 2],
    ];
    for (const [ask, time] of expectedTtls) {
      expect([time, await queriesAgain(ask, time - 1), await queriesAgain(ask, time)]).toEqual([time, false, true]);
    }
  });

  it('shares answers with other processes until they expire, but does not share failures', async () => {
    setUpGooglebot();
    server.fail('failing.example', 'SERVFAIL');
    await createDns().hostNames(toAddress(GOOGLE));
    await createDns().addresses('failing.example', 4);
    expect(await keyValue.get('dns:a:failing.example')).toBeNull();
    server.receivedQuestions.length = 0;
    expect(await createDns().addresses('failing.example', 4)).toEqual({ fault: 'dns_error' });
    now += HOUR_MS - 1;
    expect(await createDns().hostNames(toAddress(GOOGLE))).toEqual({ values: [CRAWL] });
    expect(server.receivedQuestions).toEqual(['A failing.example']);
    now += 1;
    await createDns().hostNames(toAddress(GOOGLE));
    expect(server.receivedQuestions).toEqual(['A failing.example', `PTR ${GOOGLE_PTR}`]);
  });

  it('resolves addresses while the shared cache is unavailable or contains invalid data', async () => {
    setUpGooglebot();
    class UnavailableKeyValue extends KeyValueStore {
      readonly isShared = true;
      get = (): Promise<never> => Promise.reject(new RedisUnavailableError('unavailable'));
      set = this.get;
      async claim(): Promise<boolean> {
        throw new RedisUnavailableError('unavailable');
      }
      delete = this.get;
    }
    expect(await judge(createDns([server.address], new UnavailableKeyValue()), GOOGLE)).toMatchObject({
      outcome: 'pass',
    });
    const until = now + HOUR_MS;
    for (const invalidEntry of ['', 'null', '[]', '{"until":1}', JSON.stringify({ answer: { values: [1] }, until })]) {
      await keyValue.set(`dns:ptr:${GOOGLE}`, invalidEntry, 60);
      expect(await createDns().hostNames(toAddress(GOOGLE))).toEqual({ values: [CRAWL] });
    }
  });

  it('combines concurrent lookups for the same address', async () => {
    setUpGooglebot();
    const dns = createDns();
    const answers = await Promise.all([1, 2, 3].map(() => dns.hostNames(toAddress(GOOGLE))));
    expect(answers).toEqual([1, 2, 3].map(() => ({ values: [CRAWL] })));
    expect(server.receivedQuestions).toHaveLength(1);
  });

  it('returns all host names for an address', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `${index}.example`);
    server.setRecords('PTR', SPOOF_PTR, names);
    expect(await createDns().hostNames(toAddress(SPOOF))).toEqual({ values: names });
  });

  it('counts lookups by outcome', async () => {
    setUpGooglebot();
    const lookups = register.getSingleMetric('agent_traffic_dns_lookups_total')!;
    lookups.reset();
    const dns = createDns();
    await dns.hostNames(toAddress(GOOGLE));
    await dns.hostNames(toAddress(GOOGLE));
    await createDns().hostNames(toAddress(GOOGLE));
    await dns.hostNames(toAddress(SPOOF));
    server.fail('failing.example', 'SERVFAIL');
    await dns.addresses('failing.example', 6);
    const { values } = await lookups.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels['outcome'], value]))).toEqual({
      found: 1,
      memory: 1,
      shared: 1,
      nothing: 1,
      dns_error: 1,
    });
  });
});
