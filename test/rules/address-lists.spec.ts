import { compileAddressIndex, parseAddress, type Address } from '#libs/agents';
import { compileCatalog, createCatalog, getBundledCatalog, type AgentRecord } from '#libs/catalog';
import { ADDRESS_LIST_FORMATS } from '#libs/contracts';
import { parse } from 'yaml';
import { SeededRandom } from '../../libs/demo/src/seeded-random.js';
import { addressList } from '../../apps/rules/src/address-list/index.js';

const DAY_MS = 86_400_000;
const CHANGED_AT = Date.parse('2026-11-20T00:00:00Z');
const URL = 'https://bot.example/ranges.json';

const record = (token: string, verification: AgentRecord['verification']): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [token],
  sample_user_agents: [token],
  robots_token: null,
  verification,
});

function compile(fetchedAt: number, ranges: string[] = ['192.0.2.128/25', '2001:db8::/48']) {
  const list = { url: URL, ranges, fetchedAt, changedAt: CHANGED_AT };
  return compileCatalog(
    createCatalog({
      agents: [
        record('One', { ip_list_urls: [{ url: URL, format: 'json' }] }),
        record('Two', { ip_ranges: ['192.0.2.0/25', '198.51.100.7/32'] }),
        record('Three', {}),
      ],
      proxies: [],
      lists: [list],
    }),
  );
}

const render = (format: (typeof ADDRESS_LIST_FORMATS)[number], catalog = compile(CHANGED_AT)): string =>
  addressList([...catalog.byId.values()], format, catalog).text;

const RANGES = ['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/48'];

it.each(ADDRESS_LIST_FORMATS)('stays the same in %s while only the time of the fetch changes', (format) => {
  expect(render(format, compile(CHANGED_AT + DAY_MS))).toBe(render(format));
  expect(render(format, compile(CHANGED_AT, ['203.0.113.0/24']))).not.toBe(render(format));
});

it.each(ADDRESS_LIST_FORMATS)('contains merged ranges, their last change and their digest in %s', (format) => {
  const text = render(format);
  for (const range of RANGES) expect(text).toContain(range);
  expect(text).not.toContain('192.0.2.128');
  expect(text).toContain('Last change: 2026-11-20T00:00:00.000Z');
  expect(text).toMatch(/SHA-256 of the ranges: [\da-f]{64}/);
});

it('names the agents that have no ranges', () => {
  expect(render('nginx-geo')).toContain(
    '# Agents:\n# One, Two\n# Without ranges, or with incomplete ranges:\n# Three\n',
  );
});

it('splits sets that are too large for AWS WAF', () => {
  const ranges = Array.from({ length: 10_001 }, (_, index) => `10.${index >> 7}.${(index & 127) << 1}.0/24`);
  const sets = JSON.parse(render('aws-ip-sets', compile(CHANGED_AT, ranges))) as {
    Name: string;
    Addresses: string[];
  }[];
  expect(sets.map(({ Name, Addresses }) => [Name, Addresses.length])).toEqual([
    ['agent-traffic-ipv4-1', 10_000],
    ['agent-traffic-ipv4-2', 3],
  ]);
});

it('writes YAML that CrowdSec and Anubis can read', () => {
  expect(parse(render('crowdsec'))).toMatchObject({ whitelist: { ip: [], cidr: RANGES } });
  expect(parse(render('anubis'))).toMatchObject([{ action: 'ALLOW', remote_addresses: RANGES }]);
  const catalog = compile(CHANGED_AT);
  expect(parse(addressList([], 'anubis', catalog).text)).toEqual([]);
  expect(parse(addressList([], 'crowdsec', catalog).text)).toMatchObject({ whitelist: { cidr: [] } });
});

it('lists exactly the addresses that verify one of the agents', () => {
  const catalog = compileCatalog(getBundledCatalog());
  const cidrs = render('haproxy-addresses', catalog)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const listed = compileAddressIndex([{ list: null, ranges: cidrs }]);
  const indexes = new Set(
    [...catalog.byId.values()]
      .flatMap((agent) => catalog.getAddressEvidence(agent)?.sources ?? [])
      .map(({ index }) => index),
  );
  const random = new SeededRandom(7);
  const firsts = cidrs.map((cidr) => parseAddress(cidr.split('/')[0]!)!);
  let verified = 0;
  const differing: string[] = [];
  for (let count = 0; count < 1_000_000; count++) {
    // Random addresses are rarely in a range, so most are near the start of one.
    const address = count % 4 === 0 ? randomAddress(random) : near(random.pick(firsts), random);
    const isVerified = [...indexes].some((index) => index.contains(address));
    if (isVerified) verified += 1;
    if (listed.contains(address) !== isVerified) differing.push(String(address.value));
  }
  expect(differing).toEqual([]);
  expect(verified).toBeGreaterThan(100_000);
  expect(verified).toBeLessThan(900_000);
});

const randomAddress = (random: SeededRandom): Address => ({
  family: 4,
  text: '',
  value: Math.floor(random.next() * 2 ** 32),
});

/** Returns an address at most 2^16 before or after another one. Of an IPv6 address, it changes the first 64 bits. */
function near(address: Address, random: SeededRandom): Address {
  const distance = Math.floor((random.next() - 0.5) * 2 ** (1 + random.next() * 16));
  if (address.family === 4)
    return { family: 4, text: '', value: (((address.value + distance) % 2 ** 32) + 2 ** 32) % 2 ** 32 };
  const network = BigInt.asUintN(64, BigInt(`0x${address.value.slice(0, 16)}`) + BigInt(distance));
  return { family: 6, text: '', value: network.toString(16).padStart(16, '0') + address.value.slice(16) };
}
