import { register } from 'prom-client';
import { parseAddress, reverseDns, type Address } from '#libs/agents';
import { InMemoryKeyValue, KeyValue, RedisUnavailableError } from '#libs/cache';
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
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const addressOf = (text: string): Address => parseAddress(text)!;

let server: TestDnsServer;
let keyValue: KeyValue;
let now: number;
let opened: CachedDns[];

beforeEach(async () => {
  server = await TestDnsServer.start();
  keyValue = new InMemoryKeyValue();
  now = START;
  opened = [];
});
afterEach(async () => {
  for (const dns of opened) dns.close();
  await server.stop();
});

function open(servers: DnsServers = [server.address], shared = keyValue): CachedDns {
  const dns = new CachedDns({ servers, keyValue: shared, now: () => now });
  opened.push(dns);
  return dns;
}

const judge = (dns: CachedDns, text: string, at = now) =>
  reverseDns(addressOf(text), ['googlebot.com'], dns, { at, now });

function hasGooglebot(): void {
  server.set('PTR', GOOGLE_PTR, ['Crawl-66-249-66-1.GoogleBot.com']);
  server.set('A', CRAWL, ['192.0.2.1', GOOGLE]);
}

describe('reverse DNS through CachedDns', () => {
  it('confirms an IPv4 address, then responds from the cache, also in other processes', async () => {
    hasGooglebot();
    const dns = open();
    const step = { outcome: 'pass', reason: 'ok', host_names: [CRAWL], confirmed_host_name: CRAWL };
    expect(await judge(dns, GOOGLE)).toMatchObject(step);
    expect(server.asked).toEqual([`PTR ${GOOGLE_PTR}`, `A ${CRAWL}`]);
    expect(judge(dns, GOOGLE)).toMatchObject(step);
    const other = open();
    expect(await judge(other, GOOGLE)).toMatchObject(step);
    expect(judge(other, GOOGLE)).toMatchObject(step);
    expect(server.asked).toHaveLength(2);
  });

  it('confirms an IPv6 address', async () => {
    server.set('PTR', IPV6_PTR, ['crawl.googlebot.com']);
    server.set('A', 'crawl.googlebot.com', [GOOGLE]);
    server.set('AAAA', 'crawl.googlebot.com', ['2001:db8:0:1:0:0:0:a0']);
    expect(await judge(open(), IPV6)).toMatchObject({ outcome: 'pass', confirmed_host_name: 'crawl.googlebot.com' });
    expect(server.asked).toEqual([`PTR ${IPV6_PTR}`, 'AAAA crawl.googlebot.com']);
  });

  it('rejects a forged PTR record', async () => {
    server.set('PTR', SPOOF_PTR, [SPOOFED]);
    const refuted = { outcome: 'fail', reason: 'host_name_not_confirmed', host_names: [SPOOFED] };
    expect(await judge(open(), SPOOF)).toMatchObject(refuted);
    // The name exists, but resolves to another address or has no record of the address family.
    server.set('A', SPOOFED, [GOOGLE]);
    expect(await judge(open([server.address], new InMemoryKeyValue()), SPOOF)).toMatchObject(refuted);
    server.set('A', SPOOFED, []);
    expect(await judge(open([server.address], new InMemoryKeyValue()), SPOOF)).toMatchObject(refuted);
    server.set('PTR', SPOOF_PTR, ['googlebot.com.evil.example']);
    expect(await judge(open([server.address], new InMemoryKeyValue()), SPOOF)).toMatchObject({
      outcome: 'fail',
      reason: 'host_name_not_listed',
    });
  });

  it('fails an address without a host name and caches the result', async () => {
    const dns = open();
    expect(await judge(dns, SPOOF)).toMatchObject({ outcome: 'fail', reason: 'no_host_name' });
    expect(judge(dns, SPOOF)).toMatchObject({ outcome: 'fail', reason: 'no_host_name' });
    expect(judge(dns, SPOOF, now - 8 * 24 * HOUR)).toMatchObject({ outcome: 'unknown', reason: 'visit_too_old' });
    expect(server.asked).toHaveLength(1);
  });

  it.each([
    ['SERVFAIL', 'dns_error'],
    ['REFUSED', 'dns_error'],
    ['silence', 'dns_timeout'],
  ] as const)('returns unknown if the PTR or the address lookup ends in %s', async (failure, reason) => {
    hasGooglebot();
    server.fail(GOOGLE_PTR, failure);
    server.set('PTR', SPOOF_PTR, [SPOOFED]);
    server.fail(SPOOFED, failure);
    const dns = open();
    expect(await judge(dns, GOOGLE)).toMatchObject({ outcome: 'unknown', reason, host_names: [] });
    expect(await judge(dns, SPOOF)).toMatchObject({ outcome: 'unknown', reason, host_names: [SPOOFED] });
  });

  it('returns unknown if the DNS server is unreachable', async () => {
    const { address } = server;
    await server.stop();
    expect(await judge(open([address]), GOOGLE)).toMatchObject({ outcome: 'unknown', reason: 'dns_error' });
    server = await TestDnsServer.start();
  });

  it('returns unknown while DNS is off or after it was closed', () => {
    expect(judge(open('off'), GOOGLE)).toMatchObject({ outcome: 'unknown', reason: 'dns_off' });
    const closed = open();
    closed.close();
    expect(judge(closed, GOOGLE)).toMatchObject({ outcome: 'unknown', reason: 'dns_off' });
    expect(server.asked).toEqual([]);
  });

  it('rejects a server that is not an IP address at construction', () => {
    expect(() => open(['ns.example'])).toThrow(/ns\.example/);
  });
});

describe('CachedDns', () => {
  /** Returns whether a lookup repeated `after` milliseconds later queries the server again. */
  async function asksAgain(ask: (dns: CachedDns) => unknown, after: number): Promise<boolean> {
    const dns = open([server.address], new InMemoryKeyValue());
    now = START;
    await ask(dns);
    const before = server.asked.length;
    now = START + after;
    await ask(dns);
    return server.asked.length > before;
  }

  it('caches answers for their TTL, within limits', async () => {
    hasGooglebot();
    server.set('A', 'short.example', [GOOGLE], 1);
    server.set('A', 'long.example', [GOOGLE], 30 * 86_400);
    server.set('A', 'two-hours.example', [GOOGLE], 7_200);
    server.fail('failing.example', 'SERVFAIL');
    const a = (name: string) => (dns: CachedDns) => dns.addresses(name, 4);
    const ptr = (dns: CachedDns) => dns.hostNames(addressOf(GOOGLE));
    const holdsFor: [(dns: CachedDns) => unknown, number][] = [
      [ptr, HOUR],
      [a('short.example'), 5 * MINUTE],
      [a('two-hours.example'), 2 * HOUR],
      [a('long.example'), 24 * HOUR],
      [a('nothing.example'), 30 * MINUTE],
      [(dns) => dns.hostNames(addressOf(SPOOF)), 30 * MINUTE],
      [a('failing.example'), MINUTE / 2],
    ];
    for (const [ask, time] of holdsFor) {
      expect([time, await asksAgain(ask, time - 1), await asksAgain(ask, time)]).toEqual([time, false, true]);
    }
  });

  it('shares answers with other processes until they expire, but never failures', async () => {
    hasGooglebot();
    server.fail('failing.example', 'SERVFAIL');
    await open().hostNames(addressOf(GOOGLE));
    await open().addresses('failing.example', 4);
    expect(await keyValue.get('dns:a:failing.example')).toBeNull();
    server.asked.length = 0;
    expect(await open().addresses('failing.example', 4)).toEqual({ fault: 'dns_error' });
    now += HOUR - 1;
    expect(await open().hostNames(addressOf(GOOGLE))).toEqual({ values: [CRAWL] });
    expect(server.asked).toEqual(['A failing.example']);
    now += 1;
    await open().hostNames(addressOf(GOOGLE));
    expect(server.asked).toEqual(['A failing.example', `PTR ${GOOGLE_PTR}`]);
  });

  it('works while the shared cache is unavailable or contains garbage', async () => {
    hasGooglebot();
    class Away extends KeyValue {
      readonly isShared = true;
      get = (): Promise<never> => Promise.reject(new RedisUnavailableError('away'));
      set = this.get;
      async claim(): Promise<boolean> {
        throw new RedisUnavailableError('away');
      }
      delete = this.get;
    }
    expect(await judge(open([server.address], new Away()), GOOGLE)).toMatchObject({ outcome: 'pass' });
    const until = now + HOUR;
    for (const rubbish of ['', 'null', '[]', '{"until":1}', JSON.stringify({ answer: { values: [1] }, until })]) {
      await keyValue.set(`dns:ptr:${GOOGLE}`, rubbish, 60);
      expect(await open().hostNames(addressOf(GOOGLE))).toEqual({ values: [CRAWL] });
    }
  });

  it('coalesces concurrent lookups of the same address', async () => {
    hasGooglebot();
    const dns = open();
    const answers = await Promise.all([1, 2, 3].map(() => dns.hostNames(addressOf(GOOGLE))));
    expect(answers).toEqual([1, 2, 3].map(() => ({ values: [CRAWL] })));
    expect(server.asked).toHaveLength(1);
  });

  it('returns all host names of an address', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `${index}.example`);
    server.set('PTR', SPOOF_PTR, names);
    expect(await open().hostNames(addressOf(SPOOF))).toEqual({ values: names });
  });

  it('counts lookups by outcome', async () => {
    hasGooglebot();
    const lookups = register.getSingleMetric('agent_traffic_dns_lookups_total')!;
    lookups.reset();
    const dns = open();
    await dns.hostNames(addressOf(GOOGLE));
    await dns.hostNames(addressOf(GOOGLE));
    await open().hostNames(addressOf(GOOGLE));
    await dns.hostNames(addressOf(SPOOF));
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
