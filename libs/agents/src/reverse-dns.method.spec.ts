import { parseAddress } from './address.js';
import type { Awaitable, Dns, DnsAnswer } from './evidence-sources.js';
import { reverseDns } from './reverse-dns.method.js';
import type { ReverseDnsStep } from './verification.js';
import type { DnsFault } from './vocabulary.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const RECENT = { at: NOW - 7 * DAY, now: NOW };
const OLD = { at: NOW - 7 * DAY - 1, now: NOW };
const GOOGLE = '66.249.66.1';
const CRAWL = 'crawl-66-249-66-1.googlebot.com';
const SUFFIXES = ['googlebot.com', 'google.com'];

/** DNS contents: host names of any address, and addresses by host name. */
interface Zone {
  ptr: string[] | DnsFault;
  forward?: Record<string, string[] | DnsFault>;
}

const answerOf = (said: string[] | DnsFault): DnsAnswer =>
  typeof said === 'string' ? { fault: said } : { values: said };

function dnsOf({ ptr, forward = {} }: Zone, asked: string[] = []): Dns {
  return {
    hostNames: () => answerOf(ptr),
    addresses: (name, family) => {
      asked.push(`${name} ${family}`);
      return answerOf(forward[name] ?? []);
    },
  };
}

function atOnce(step: Awaitable<ReverseDnsStep>): ReverseDnsStep {
  expect(step).not.toBeInstanceOf(Promise);
  return step as ReverseDnsStep;
}

function judged(zone: Zone, { address = GOOGLE, times = RECENT, suffixes = SUFFIXES } = {}) {
  return atOnce(reverseDns(parseAddress(address)!, suffixes, dnsOf(zone), times));
}

const confirming = (name: string): Zone => ({ ptr: [name], forward: { [name]: [GOOGLE] } });

describe('reverseDns', () => {
  it('confirms a host name that resolves back to the address', () => {
    expect(judged(confirming(CRAWL))).toEqual({
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
      expect(judged({ ptr: [name], forward }, { address: '95.216.227.158' })).toMatchObject({
        outcome: 'fail',
        reason: 'host_name_not_confirmed',
        host_names: [name],
        confirmed_host_name: null,
      });
    }
  });

  it.each(['googlebot.com', 'a.b.googlebot.com', 'crawl_1.google.com'])('treats %s as listed', (name) => {
    expect(judged(confirming(name)).outcome).toBe('pass');
  });

  it.each([
    'googlebot.com.evil.example',
    'evilgooglebot.com',
    'com',
    'googlebot.com-evil.example',
    'xn--googlebot.com.evil.example',
    'localhost',
  ])('treats %s as not listed', (name) => {
    expect(judged(confirming(name))).toMatchObject({
      outcome: 'fail',
      reason: 'host_name_not_listed',
      host_names: [name],
    });
  });

  it('ignores case and a trailing dot', () => {
    const zone = { ptr: ['CRAWL.GoogleBot.com.'], forward: { 'crawl.googlebot.com': [GOOGLE] } };
    expect(judged(zone, { suffixes: ['.GoogleBot.COM.'] })).toMatchObject({
      outcome: 'pass',
      confirmed_host_name: 'crawl.googlebot.com',
    });
  });

  it.each([
    ['a long label', `${'a'.repeat(64)}.googlebot.com`],
    ['two final dots', 'a.googlebot.com..'],
    ['an empty label', 'a..googlebot.com'],
    ['a dot within a label', 'a\\.googlebot.com'],
    ['a space', 'a .googlebot.com'],
    ['NUL', 'a\0.googlebot.com'],
    ['a dot in front', '.googlebot.com'],
    ['another script', 'а.googlebot.com'],
    ['nothing', ''],
    ['the root', '.'],
  ])('never resolves a name with %s', (_, name) => {
    const asked: string[] = [];
    const dns = dnsOf({ ...confirming(name), forward: { [name.toLowerCase()]: [GOOGLE] } }, asked);
    const step = atOnce(reverseDns(parseAddress(GOOGLE)!, SUFFIXES, dns, RECENT));
    expect(step).toMatchObject({ outcome: 'fail', reason: 'no_host_name', host_names: [] });
    expect(asked).toEqual([]);
  });

  it('limits host names to 253 characters', () => {
    const [longest, tooLong] = ['a', 'aa'].map((label) => `${'a.'.repeat(119)}${label}.googlebot.com`);
    expect([longest!.length, tooLong!.length]).toEqual([253, 254]);
    expect(judged(confirming(longest!)).outcome).toBe('pass');
    expect(judged(confirming(tooLong!)).reason).toBe('no_host_name');
  });

  it('resolves only names under the suffixes of the agent, anywhere in the list', () => {
    const asked: string[] = [];
    const ptr = ['evil.example', 'a.google.com', 'a.google.com.', 'b.google.com', 'x.example', 'y.example', CRAWL];
    const dns = dnsOf({ ptr, forward: { [CRAWL]: [GOOGLE] } }, asked);
    const step = atOnce(reverseDns(parseAddress(GOOGLE)!, SUFFIXES, dns, RECENT));
    expect(step).toMatchObject({ outcome: 'pass', reason: 'ok', confirmed_host_name: CRAWL });
    expect(step.host_names).toEqual([CRAWL, 'a.google.com', 'b.google.com', 'evil.example', 'x.example']);
    expect(asked).toEqual(['a.google.com 4', 'b.google.com 4', `${CRAWL} 4`]);
  });

  it.each([
    [50, 'example', 'fail', 'host_name_not_listed'],
    [51, 'example', 'unknown', 'too_many_host_names'],
    [10, 'google.com', 'fail', 'host_name_not_confirmed'],
    [11, 'google.com', 'unknown', 'too_many_host_names'],
  ])('judges %i names under %s', (count, domain, outcome, reason) => {
    const asked: string[] = [];
    const ptr = Array.from({ length: count }, (_, index) => `n${index}.${domain}`);
    const step = atOnce(reverseDns(parseAddress(GOOGLE)!, SUFFIXES, dnsOf({ ptr, forward: {} }, asked), RECENT));
    expect(step).toMatchObject({ outcome, reason });
    expect(step.host_names).toHaveLength(5);
    expect(asked.length).toBeLessThanOrEqual(10);
  });

  it('passes if any name resolves back, even if another lookup fails', () => {
    const zone: Zone = { ptr: ['a.google.com', CRAWL], forward: { 'a.google.com': 'dns_timeout', [CRAWL]: [GOOGLE] } };
    expect(judged(zone)).toMatchObject({ outcome: 'pass', confirmed_host_name: CRAWL });
    expect(judged({ ...zone, forward: { 'a.google.com': 'dns_timeout' } })).toMatchObject({
      outcome: 'unknown',
      reason: 'dns_timeout',
      host_names: ['a.google.com', CRAWL],
      confirmed_host_name: null,
    });
  });

  it('compares parsed addresses in the family of the client address', () => {
    const address = '2001:db8::1';
    const forward = { [CRAWL]: ['not an address', '2001:0DB8:0:0::0001'] };
    const asked: string[] = [];
    const dns = dnsOf({ ptr: [CRAWL], forward }, asked);
    expect(atOnce(reverseDns(parseAddress(address)!, SUFFIXES, dns, RECENT)).outcome).toBe('pass');
    expect(asked).toEqual([`${CRAWL} 6`]);
    expect(judged({ ptr: [CRAWL], forward: { [CRAWL]: ['2001:db8::10'] } }, { address }).outcome).toBe('fail');
  });

  it('fails only visits from the last 7 days', () => {
    const refuted: Zone[] = [{ ptr: [] }, { ptr: ['evil.example'] }, { ptr: [CRAWL] }];
    expect(refuted.map((zone) => judged(zone).reason)).toEqual([
      'no_host_name',
      'host_name_not_listed',
      'host_name_not_confirmed',
    ]);
    const old = refuted.map((zone) => judged(zone, { times: OLD }));
    expect(new Set(old.map(({ outcome, reason }) => `${outcome} ${reason}`))).toEqual(
      new Set(['unknown visit_too_old']),
    );
    expect(judged(confirming(CRAWL), { times: OLD }).outcome).toBe('pass');
  });

  it.each(['dns_timeout', 'dns_error', 'dns_busy', 'dns_off', 'dns_pending'] as const)(
    'returns unknown for %s',
    (fault) => {
      const open = { outcome: 'unknown', reason: fault };
      expect(judged({ ptr: fault })).toMatchObject({ ...open, host_names: [] });
      expect(judged({ ptr: [CRAWL], forward: { [CRAWL]: fault } })).toMatchObject({ ...open, host_names: [CRAWL] });
      expect(judged({ ptr: fault }, { times: OLD })).toMatchObject(open);
    },
  );

  it('returns a promise if the DNS lookup is asynchronous', async () => {
    const dns = dnsOf(confirming(CRAWL));
    const slow: Dns = { hostNames: async (address) => dns.hostNames(address), addresses: dns.addresses };
    const step = reverseDns(parseAddress(GOOGLE)!, SUFFIXES, slow, RECENT);
    expect(step).toBeInstanceOf(Promise);
    expect((await step).outcome).toBe('pass');
  });

  it('matches no host name against an empty suffix', () => {
    expect(judged(confirming(CRAWL), { suffixes: ['', '.'] }).reason).toBe('host_name_not_listed');
  });
});
