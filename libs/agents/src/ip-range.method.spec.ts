import { compileAddressEvidence, type PublishedList } from './address-evidence.js';
import { parseAddress } from './address.js';
import type { AgentDefinition, AgentVerification } from './agent.js';
import { checkIpRange } from './ip-range.method.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const FIRST_URL = 'https://bot.example/one.json';
const SECOND_URL = 'https://bot.example/two.json';

const toAgent = (verification: AgentVerification) => ({ verification }) as AgentDefinition;
const urls = (...addresses: string[]) => addresses.map((url) => ({ url, format: 'json-prefixes' }));
const list = (url: string, ranges: string[], age = DAY): PublishedList => ({
  url,
  ranges,
  fetchedAt: NOW - age,
  changedAt: NOW - age,
});

function compileEvidence(verification: AgentVerification, ...lists: PublishedList[]) {
  return compileAddressEvidence(toAgent(verification), (url) => lists.find((each) => each.url === url))!;
}

/** Checks the address of a visit `visitAge` ms ago. Returns the outcome, reason, range, list URL and list date. */
function checkAddress(text: string, verification: AgentVerification, lists: PublishedList[] = [], visitAge = 0) {
  const evidence = compileEvidence(verification, ...lists);
  const step = checkIpRange(parseAddress(text)!, evidence, { at: NOW - visitAge, now: NOW });
  return [step.outcome, step.reason, step.range, step.list_url, step.as_of];
}

const INSIDE = '192.0.2.7';
const OUTSIDE = '198.51.100.1';
const isoDate = (age: number) => new Date(NOW - age).toISOString();
const NOT_LISTED = ['fail', 'address_not_listed', null, null];

describe('checkIpRange with published lists', () => {
  const verification = { ip_list_urls: urls(FIRST_URL, SECOND_URL) };
  const firstList = list(FIRST_URL, ['192.0.2.0/24', '2001:db8::/32'], 2 * DAY);
  const secondList = list(SECOND_URL, ['192.0.2.0/28', '203.0.113.0/24', '192.0.2.0/24']);

  it('returns the most specific range and its list', () => {
    expect(checkAddress(INSIDE, verification, [firstList, secondList])).toEqual([
      'pass',
      'ok',
      '192.0.2.0/28',
      SECOND_URL,
      isoDate(DAY),
    ]);
    expect(checkAddress('192.0.2.99', verification, [firstList, secondList])).toEqual([
      'pass',
      'ok',
      '192.0.2.0/24',
      FIRST_URL,
      isoDate(2 * DAY),
    ]);
    expect(checkAddress('2001:db8::1', verification, [firstList, secondList])).toEqual([
      'pass',
      'ok',
      '2001:db8::/32',
      FIRST_URL,
      isoDate(2 * DAY),
    ]);
  });

  it('refutes an unlisted address if all lists are recent, and reports the oldest date', () => {
    expect(checkAddress(OUTSIDE, verification, [firstList, secondList])).toEqual([...NOT_LISTED, isoDate(2 * DAY)]);
    expect(checkAddress(OUTSIDE, verification, [firstList, { ...secondList, fetchedAt: NOW - 7 * DAY }])).toEqual([
      ...NOT_LISTED,
      isoDate(7 * DAY),
    ]);
  });

  it('can confirm but not refute an address if a list is missing or more than 7 days old', () => {
    const old = { ...firstList, fetchedAt: NOW - 7 * DAY - 1 };
    expect(checkAddress(OUTSIDE, verification, [old, secondList])).toEqual([
      'unknown',
      'list_too_old',
      null,
      null,
      isoDate(7 * DAY + 1),
    ]);
    expect(checkAddress(OUTSIDE, verification, [secondList])).toEqual([
      'unknown',
      'list_too_old',
      null,
      null,
      isoDate(DAY),
    ]);
    expect(checkAddress(OUTSIDE, verification)).toEqual(['unknown', 'list_too_old', null, null, null]);
    expect(checkAddress('2001:db8::1', verification, [{ ...old, fetchedAt: NOW - 900 * DAY }])[0]).toBe('pass');
  });

  it('can refute an address despite a missing list if the other lists cover the snapshot', () => {
    const listsAndDate = { ip_list_urls: urls(FIRST_URL, SECOND_URL), ip_ranges_as_of: '2026-09-01' };
    const coveredSnapshot = { ...listsAndDate, ip_ranges: ['192.0.2.0/28', '203.0.113.0/24'] };
    expect(checkAddress(OUTSIDE, coveredSnapshot, [secondList])).toEqual([...NOT_LISTED, isoDate(DAY)]);
    expect(
      checkAddress(OUTSIDE, { ...listsAndDate, ip_ranges: ['192.0.2.0/28', '2001:db8::/32'] }, [secondList])[0],
    ).toBe('unknown');
    expect(checkAddress(OUTSIDE, { ...listsAndDate, ip_ranges: ['192.0.0.0/16'] }, [secondList])[0]).toBe('unknown');
    expect(checkAddress(OUTSIDE, coveredSnapshot)[0]).toBe('unknown');
  });

  it('refutes only visits from the last 7 days', () => {
    expect(checkAddress(OUTSIDE, verification, [firstList, secondList], 7 * DAY)[0]).toBe('fail');
    expect(checkAddress(OUTSIDE, verification, [firstList, secondList], 7 * DAY + 1)).toEqual([
      'unknown',
      'visit_too_old',
      null,
      null,
      isoDate(2 * DAY),
    ]);
    expect(checkAddress(INSIDE, verification, [firstList, secondList], 900 * DAY)[0]).toBe('pass');
  });
});

describe('checkIpRange with catalog ranges', () => {
  const current = { ip_ranges: ['192.0.2.0/24'] };
  const snapshot = { ...current, ip_ranges_as_of: '2026-11-15' };

  it('treats undated ranges as current', () => {
    expect(checkAddress(INSIDE, current)).toEqual(['pass', 'ok', '192.0.2.0/24', null, null]);
    expect(checkAddress(OUTSIDE, current)).toEqual([...NOT_LISTED, null]);
    expect(checkAddress(OUTSIDE, current, [], 8 * DAY)[1]).toBe('visit_too_old');
  });

  it('treats dated ranges as a snapshot that can refute visits for 7 days and confirm them forever', () => {
    expect(checkAddress(INSIDE, snapshot)).toEqual(['pass', 'ok', '192.0.2.0/24', null, '2026-11-15T00:00:00.000Z']);
    expect(checkAddress(OUTSIDE, snapshot)).toEqual([...NOT_LISTED, '2026-11-15T00:00:00.000Z']);
    const old = { ...current, ip_ranges_as_of: '2026-11-14' };
    expect(checkAddress(OUTSIDE, old)[1]).toBe('list_too_old');
    expect(checkAddress(INSIDE, { ...current, ip_ranges_as_of: '2020-01-01' })[0]).toBe('pass');
  });

  it('replaces a catalog snapshot after all published lists have been fetched', () => {
    const rangesAndLists = { ...snapshot, ip_list_urls: urls(FIRST_URL, SECOND_URL) };
    const lists = [list(FIRST_URL, ['203.0.113.0/24']), list(SECOND_URL, [])];
    expect(checkAddress(INSIDE, rangesAndLists)[0]).toBe('pass');
    expect(checkAddress(INSIDE, rangesAndLists, lists.slice(0, 1))[0]).toBe('pass');
    expect(checkAddress(INSIDE, rangesAndLists, lists)).toEqual([...NOT_LISTED, isoDate(DAY)]);
    // One of the lists was never fetched, and even a recent snapshot can't replace it for refuting a visit.
    expect(checkAddress(OUTSIDE, rangesAndLists, lists.slice(0, 1))[1]).toBe('list_too_old');
  });

  it('combines current ranges with published lists', () => {
    const rangesAndLists = { ...current, ip_list_urls: urls(FIRST_URL) };
    expect(checkAddress(INSIDE, rangesAndLists, [list(FIRST_URL, ['203.0.113.0/24'])])).toEqual([
      'pass',
      'ok',
      '192.0.2.0/24',
      null,
      null,
    ]);
    expect(checkAddress('203.0.113.1', rangesAndLists, [list(FIRST_URL, ['203.0.113.0/24'])])[3]).toBe(FIRST_URL);
    expect(checkAddress(OUTSIDE, rangesAndLists, [list(FIRST_URL, ['203.0.113.0/24'])])).toEqual([
      ...NOT_LISTED,
      isoDate(DAY),
    ]);
    expect(checkAddress(OUTSIDE, rangesAndLists)[1]).toBe('list_too_old');
    // If both contain the same range, the published list wins, because people can look it up.
    expect(checkAddress(INSIDE, rangesAndLists, [list(FIRST_URL, ['192.0.2.0/24'])])[3]).toBe(FIRST_URL);
  });
});

describe('compileAddressEvidence', () => {
  it('returns null for an agent without ranges or lists', () => {
    expect(compileEvidence({})).toBeNull();
    expect(compileEvidence({ ip_ranges: [], ip_list_urls: [], reverse_dns_suffixes: ['bot.example'] })).toBeNull();
  });

  it('compiles a list only once for all agents and for unchanged refetches', () => {
    const first = list(FIRST_URL, ['192.0.2.0/24']);
    const refetched = { ...first, fetchedAt: NOW };
    const [a, b] = [first, refetched].map((each) => compileEvidence({ ip_list_urls: urls(FIRST_URL) }, each));
    expect(a!.sources[0]!.index).toBe(b!.sources[0]!.index);
    expect(b!.sources[0]!.asOf).toBe(NOW);
  });

  it('throws an error containing the invalid range or date', () => {
    expect(() => compileEvidence({ ip_ranges: ['192.0.2.0/33'] })).toThrow('192.0.2.0/33');
    expect(() => compileEvidence({ ip_ranges: ['192.0.2.0/24'], ip_ranges_as_of: 'lately' })).toThrow('lately');
  });
});
