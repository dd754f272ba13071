import { compileAddressEvidence, type PublishedList } from './address-evidence.js';
import { parseAddress } from './address.js';
import type { AgentDefinition, AgentVerification } from './agent.js';
import { ipRange } from './ip-range.method.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const ONE = 'https://bot.example/one.json';
const TWO = 'https://bot.example/two.json';

const agentOf = (verification: AgentVerification) => ({ verification }) as AgentDefinition;
const urls = (...addresses: string[]) => addresses.map((url) => ({ url, format: 'json-prefixes' }));
const list = (url: string, ranges: string[], age = DAY): PublishedList => ({ url, ranges, fetchedAt: NOW - age });

function evidenceOf(verification: AgentVerification, ...lists: PublishedList[]) {
  return compileAddressEvidence(agentOf(verification), (url) => lists.find((each) => each.url === url))!;
}

/** Judges an address of a visit `visitAge` ms ago. Returns the outcome, reason, range, list URL and list date. */
function judged(text: string, verification: AgentVerification, lists: PublishedList[] = [], visitAge = 0) {
  const evidence = evidenceOf(verification, ...lists);
  const step = ipRange(parseAddress(text)!, evidence, { at: NOW - visitAge, now: NOW });
  return [step.outcome, step.reason, step.range, step.list_url, step.as_of];
}

const INSIDE = '192.0.2.7';
const OUTSIDE = '198.51.100.1';
const iso = (age: number) => new Date(NOW - age).toISOString();
const NO = ['fail', 'address_not_listed', null, null];

describe('ipRange with published lists', () => {
  const verification = { ip_list_urls: urls(ONE, TWO) };
  const one = list(ONE, ['192.0.2.0/24', '2001:db8::/32'], 2 * DAY);
  const two = list(TWO, ['192.0.2.0/28', '203.0.113.0/24', '192.0.2.0/24']);

  it('returns the most specific range and the list that publishes it', () => {
    expect(judged(INSIDE, verification, [one, two])).toEqual(['pass', 'ok', '192.0.2.0/28', TWO, iso(DAY)]);
    expect(judged('192.0.2.99', verification, [one, two])).toEqual(['pass', 'ok', '192.0.2.0/24', ONE, iso(2 * DAY)]);
    expect(judged('2001:db8::1', verification, [one, two])).toEqual(['pass', 'ok', '2001:db8::/32', ONE, iso(2 * DAY)]);
  });

  it('fails an unlisted address if all lists are fresh, and reports the oldest date', () => {
    expect(judged(OUTSIDE, verification, [one, two])).toEqual([...NO, iso(2 * DAY)]);
    expect(judged(OUTSIDE, verification, [one, { ...two, fetchedAt: NOW - 7 * DAY }])).toEqual([...NO, iso(7 * DAY)]);
  });

  it('cannot fail an address if a list is missing or over 7 days old, but can pass it', () => {
    const old = { ...one, fetchedAt: NOW - 7 * DAY - 1 };
    expect(judged(OUTSIDE, verification, [old, two])).toEqual([
      'unknown',
      'list_too_old',
      null,
      null,
      iso(7 * DAY + 1),
    ]);
    expect(judged(OUTSIDE, verification, [two])).toEqual(['unknown', 'list_too_old', null, null, iso(DAY)]);
    expect(judged(OUTSIDE, verification)).toEqual(['unknown', 'list_too_old', null, null, null]);
    expect(judged('2001:db8::1', verification, [{ ...old, fetchedAt: NOW - 900 * DAY }])[0]).toBe('pass');
  });

  it('can fail an address without a missing list if the others cover the bundled ranges', () => {
    const known = { ip_list_urls: urls(ONE, TWO), ip_ranges_as_of: '2026-09-01' };
    const same = { ...known, ip_ranges: ['192.0.2.0/28', '203.0.113.0/24'] };
    expect(judged(OUTSIDE, same, [two])).toEqual([...NO, iso(DAY)]);
    expect(judged(OUTSIDE, { ...known, ip_ranges: ['192.0.2.0/28', '2001:db8::/32'] }, [two])[0]).toBe('unknown');
    expect(judged(OUTSIDE, { ...known, ip_ranges: ['192.0.0.0/16'] }, [two])[0]).toBe('unknown');
    expect(judged(OUTSIDE, same)[0]).toBe('unknown');
  });

  it('fails only visits of the last 7 days', () => {
    expect(judged(OUTSIDE, verification, [one, two], 7 * DAY)[0]).toBe('fail');
    expect(judged(OUTSIDE, verification, [one, two], 7 * DAY + 1)).toEqual([
      'unknown',
      'visit_too_old',
      null,
      null,
      iso(2 * DAY),
    ]);
    expect(judged(INSIDE, verification, [one, two], 900 * DAY)[0]).toBe('pass');
  });
});

describe('ipRange with ranges of the agent', () => {
  const current = { ip_ranges: ['192.0.2.0/24'] };
  const snapshot = { ...current, ip_ranges_as_of: '2026-11-15' };

  it('treats undated ranges as current', () => {
    expect(judged(INSIDE, current)).toEqual(['pass', 'ok', '192.0.2.0/24', null, null]);
    expect(judged(OUTSIDE, current)).toEqual([...NO, null]);
    expect(judged(OUTSIDE, current, [], 8 * DAY)[1]).toBe('visit_too_old');
  });

  it('treats dated ranges as a snapshot that can fail for 7 days and pass forever', () => {
    expect(judged(INSIDE, snapshot)).toEqual(['pass', 'ok', '192.0.2.0/24', null, '2026-11-15T00:00:00.000Z']);
    expect(judged(OUTSIDE, snapshot)).toEqual([...NO, '2026-11-15T00:00:00.000Z']);
    const old = { ...current, ip_ranges_as_of: '2026-11-14' };
    expect(judged(OUTSIDE, old)[1]).toBe('list_too_old');
    expect(judged(INSIDE, { ...current, ip_ranges_as_of: '2020-01-01' })[0]).toBe('pass');
  });

  it('replaces a snapshot once all published lists are fetched', () => {
    const both = { ...snapshot, ip_list_urls: urls(ONE, TWO) };
    const lists = [list(ONE, ['203.0.113.0/24']), list(TWO, [])];
    expect(judged(INSIDE, both)[0]).toBe('pass');
    expect(judged(INSIDE, both, lists.slice(0, 1))[0]).toBe('pass');
    expect(judged(INSIDE, both, lists)).toEqual([...NO, iso(DAY)]);
    // A recent snapshot cannot refute a visit on behalf of a list that was never fetched.
    expect(judged(OUTSIDE, both, lists.slice(0, 1))[1]).toBe('list_too_old');
  });

  it('combines current ranges with published lists', () => {
    const both = { ...current, ip_list_urls: urls(ONE) };
    expect(judged(INSIDE, both, [list(ONE, ['203.0.113.0/24'])])).toEqual(['pass', 'ok', '192.0.2.0/24', null, null]);
    expect(judged('203.0.113.1', both, [list(ONE, ['203.0.113.0/24'])])[3]).toBe(ONE);
    expect(judged(OUTSIDE, both, [list(ONE, ['203.0.113.0/24'])])).toEqual([...NO, iso(DAY)]);
    expect(judged(OUTSIDE, both)[1]).toBe('list_too_old');
    // If ranges are equal, the published one wins, because people can look it up.
    expect(judged(INSIDE, both, [list(ONE, ['192.0.2.0/24'])])[3]).toBe(ONE);
  });
});

describe('compileAddressEvidence', () => {
  it('returns null for an agent without ranges or lists', () => {
    expect(evidenceOf({})).toBeNull();
    expect(evidenceOf({ ip_ranges: [], ip_list_urls: [], reverse_dns_suffixes: ['bot.example'] })).toBeNull();
  });

  it('compiles a list once for all agents, and not again if a refetch is unchanged', () => {
    const first = list(ONE, ['192.0.2.0/24']);
    const again = { ...first, fetchedAt: NOW };
    const [a, b] = [first, again].map((each) => evidenceOf({ ip_list_urls: urls(ONE) }, each));
    expect(a!.sources[0]!.index).toBe(b!.sources[0]!.index);
    expect(b!.sources[0]!.asOf).toBe(NOW);
  });

  it('names the invalid range or date', () => {
    expect(() => evidenceOf({ ip_ranges: ['192.0.2.0/33'] })).toThrow('192.0.2.0/33');
    expect(() => evidenceOf({ ip_ranges: ['192.0.2.0/24'], ip_ranges_as_of: 'lately' })).toThrow('lately');
  });
});
