import { parseAddress } from './address.js';
import type { Awaitable, Dns, DnsResult } from './evidence-sources.js';
import { checkReverseDns } from './reverse-dns.method.js';
import type { ReverseDnsStep } from './verification.js';
import type { DnsFault } from './vocabulary.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const RECENT = { at: NOW - 7 * DAY, now: NOW };
const OLD = { at: NOW - 7 * DAY - 1, now: NOW };
const GOOGLE = '66.249.66.1';
const CRAWL = 'crawl-66-249-66-1.googlebot.com';
const SUFFIXES = ['googlebot.com', 'google.com'];

/** Mock DNS data: host names for any address, and addresses by host name. */
interface Zone {
  ptr: string[] | DnsFault;
  forward?: Record<string, string[] | DnsFault>;
}

const toDnsResult = (valuesOrFault: string[] | DnsFault): DnsResult =>
  typeof valuesOrFault === 'string' ? { fault: valuesOrFault } : { values: valuesOrFault };

function mockDns({ ptr, forward = {} }: Zone, lookups: string[] = []): Dns {
  return {
    hostNames: () => toDnsResult(ptr),
    addresses: (name, family) => {
      lookups.push(`${name} ${family}`);
      return toDnsResult(forward[name] ?? []);
    },
  };
}

function expectSync(step: Awaitable<ReverseDnsStep>): ReverseDnsStep {
  expect(step).not.toBeInstanceOf(Promise);
  return step as ReverseDnsStep;
}

function checkZone(zone: Zone, { address = GOOGLE, times = RECENT, suffixes = SUFFIXES } = {}) {
  return expectSync(checkReverseDns(parseAddress(address)!, suffixes, mockDns(zone), times));
}

const confirmingZone = (name: string): Zone => ({ ptr: [name], forward: { [name]: [GOOGLE] } });

describe('checkReverseDns', () => {
  it('confirms a host name that resolves back to the address', () => {
    expect(checkZone(confirmingZone(CRAWL))).toEqual({
      method: 'reverse_dns',
      outcome: 'pass',
      reason: 'ok',
      host_names: [CRAWL],
      confirmed_host_name: CRAWL,
    });
  });

  it('rejects the forged PTR record of 95.216.227.158', () => {
    const name = 'crawl-95-216-227-158.googlebot.com';
    const zones: NonNullable<Zone['forward']>[] = [{}, { [name]: [GOOGLE] }];
    for (const forward of zones) {
      expect(checkZone({ ptr: [name], forward }, { address: '95.216.227.158' })).toMatchObject({
        outcome: 'fail',
        reason: 'host_name_not_confirmed',
        host_names: [name],
        confirmed_host_name: null,
      });
    }
  });

  it.each(['googlebot.com', 'a.b.googlebot.com', 'crawl_1.google.com'])(
    'confirms %s, which is under a suffix',
    (name) => {
      expect(checkZone(confirmingZone(name)).outcome).toBe('pass');
    },
  );

  it.each([
    'googlebot.com.evil.example',
    'evilgooglebot.com',
    'com',
    'googlebot.com-evil.example',
    'xn--googlebot.com.evil.example',
    'localhost',
  ])('rejects %s, which is not under a suffix', (name) => {
    expect(checkZone(confirmingZone(name))).toMatchObject({
      outcome: 'fail',
      reason: 'host_name_not_listed',
      host_names: [name],
    });
  });

  it('ignores case and a trailing dot in host names', () => {
    const zone = { ptr: ['CRAWL.GoogleBot.com.'], forward: { 'crawl.googlebot.com': [GOOGLE] } };
    expect(checkZone(zone, { suffixes: ['.GoogleBot.COM.'] })).toMatchObject({
      outcome: 'pass',
      confirmed_host_name: 'crawl.googlebot.com',
    });
  });

  it.each([
    ['an oversized label', `${'a'.repeat(64)}.googlebot.com`],
    ['two trailing dots', 'a.googlebot.com..'],
    ['an empty label', 'a..googlebot.com'],
    ['an escaped dot in a label', 'a\\.googlebot.com'],
    ['a space', 'a .googlebot.com'],
    ['a NUL byte', 'a\0.googlebot.com'],
    ['a leading dot', '.googlebot.com'],
    ['a Cyrillic letter', 'а.googlebot.com'],
    ['no characters', ''],
    ['only a dot', '.'],
  ])('never looks up a name with %s', (_, name) => {
    const lookups: string[] = [];
    const dns = mockDns({ ...confirmingZone(name), forward: { [name.toLowerCase()]: [GOOGLE] } }, lookups);
    const step = expectSync(checkReverseDns(parseAddress(GOOGLE)!, SUFFIXES, dns, RECENT));
    expect(step).toMatchObject({ outcome: 'fail', reason: 'no_host_name', host_names: [] });
    expect(lookups).toEqual([]);
  });

  it('accepts host names of at most 253 characters', () => {
    const [longest, tooLong] = ['a', 'aa'].map((label) => `${'a.'.repeat(119)}${label}.googlebot.com`);
    expect([longest!.length, tooLong!.length]).toEqual([253, 254]);
    expect(checkZone(confirmingZone(longest!)).outcome).toBe('pass');
    expect(checkZone(confirmingZone(tooLong!)).reason).toBe('no_host_name');
  });

  it("resolves only names under the agent's suffixes, at any position in the list", () => {
    const lookups: string[] = [];
    const ptr = ['evil.example', 'a.google.com', 'a.google.com.', 'b.google.com', 'x.example', 'y.example', CRAWL];
    const dns = mockDns({ ptr, forward: { [CRAWL]: [GOOGLE] } }, lookups);
    const step = expectSync(checkReverseDns(parseAddress(GOOGLE)!, SUFFIXES, dns, RECENT));
    expect(step).toMatchObject({ outcome: 'pass', reason: 'ok', confirmed_host_name: CRAWL });
    expect(step.host_names).toEqual([CRAWL, 'a.google.com', 'b.google.com', 'evil.example', 'x.example']);
    expect(lookups).toEqual(['a.google.com 4', 'b.google.com 4', `${CRAWL} 4`]);
  });

  it.each([
    [50, 'example', 'fail', 'host_name_not_listed'],
    [51, 'example', 'unknown', 'too_many_host_names'],
    [10, 'google.com', 'fail', 'host_name_not_confirmed'],
    [11, 'google.com', 'unknown', 'too_many_host_names'],
  ])('handles %i names under %s: %s, %s', (count, domain, outcome, reason) => {
    const lookups: string[] = [];
    const ptr = Array.from({ length: count }, (_, index) => `n${index}.${domain}`);
    const step = expectSync(
      checkReverseDns(parseAddress(GOOGLE)!, SUFFIXES, mockDns({ ptr, forward: {} }, lookups), RECENT),
    );
    expect(step).toMatchObject({ outcome, reason });
    expect(step.host_names).toHaveLength(5);
    expect(lookups.length).toBeLessThanOrEqual(10);
  });

  it('confirms an address if any name resolves back to it, even if other lookups fail', () => {
    const zone: Zone = { ptr: ['a.google.com', CRAWL], forward: { 'a.google.com': 'dns_timeout', [CRAWL]: [GOOGLE] } };
    expect(checkZone(zone)).toMatchObject({ outcome: 'pass', confirmed_host_name: CRAWL });
    expect(checkZone({ ...zone, forward: { 'a.google.com': 'dns_timeout' } })).toMatchObject({
      outcome: 'unknown',
      reason: 'dns_timeout',
      host_names: ['a.google.com', CRAWL],
      confirmed_host_name: null,
    });
  });

  it("looks up and compares only addresses in the client address's family", () => {
    const address = '2001:db8::1';
    const forward = { [CRAWL]: ['not an address', '2001:0DB8:0:0::0001'] };
    const lookups: string[] = [];
    const dns = mockDns({ ptr: [CRAWL], forward }, lookups);
    expect(expectSync(checkReverseDns(parseAddress(address)!, SUFFIXES, dns, RECENT)).outcome).toBe('pass');
    expect(lookups).toEqual([`${CRAWL} 6`]);
    expect(checkZone({ ptr: [CRAWL], forward: { [CRAWL]: ['2001:db8::10'] } }, { address }).outcome).toBe('fail');
  });

  it('refutes only visits from the last 7 days', () => {
    const refuted: Zone[] = [{ ptr: [] }, { ptr: ['evil.example'] }, { ptr: [CRAWL] }];
    expect(refuted.map((zone) => checkZone(zone).reason)).toEqual([
      'no_host_name',
      'host_name_not_listed',
      'host_name_not_confirmed',
    ]);
    const oldSteps = refuted.map((zone) => checkZone(zone, { times: OLD }));
    expect(new Set(oldSteps.map(({ outcome, reason }) => `${outcome} ${reason}`))).toEqual(
      new Set(['unknown visit_too_old']),
    );
    expect(checkZone(confirmingZone(CRAWL), { times: OLD }).outcome).toBe('pass');
  });

  it.each(['dns_timeout', 'dns_error', 'dns_busy', 'dns_off', 'dns_pending'] as const)(
    'returns unknown for the DNS fault %s',
    (fault) => {
      const inconclusive = { outcome: 'unknown', reason: fault };
      expect(checkZone({ ptr: fault })).toMatchObject({ ...inconclusive, host_names: [] });
      expect(checkZone({ ptr: [CRAWL], forward: { [CRAWL]: fault } })).toMatchObject({
        ...inconclusive,
        host_names: [CRAWL],
      });
      expect(checkZone({ ptr: fault }, { times: OLD })).toMatchObject(inconclusive);
    },
  );

  it('returns a promise if the DNS lookup is asynchronous', async () => {
    const dns = mockDns(confirmingZone(CRAWL));
    const asyncDns: Dns = { hostNames: async (address) => dns.hostNames(address), addresses: dns.addresses };
    const step = checkReverseDns(parseAddress(GOOGLE)!, SUFFIXES, asyncDns, RECENT);
    expect(step).toBeInstanceOf(Promise);
    expect((await step).outcome).toBe('pass');
  });

  it('does not match an empty suffix', () => {
    expect(checkZone(confirmingZone(CRAWL), { suffixes: ['', '.'] }).reason).toBe('host_name_not_listed');
  });
});
