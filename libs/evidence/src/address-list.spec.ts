import { getBundledCatalog, DATA_CENTER_LISTS } from '#libs/catalog';
import { findSanityFault } from './address-list-sanity.js';
import { readAddressList } from './address-list.js';

const readList = (body: unknown, format: string) =>
  readAddressList(typeof body === 'string' ? body : JSON.stringify(body), format);

describe('json-prefixes', () => {
  it('parses the format used by Google, Bing and OpenAI', () => {
    const body = {
      creationTime: '2026-11-20T23:00:00.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801:0010::/64' }, { ipv4Prefix: '66.249.64.0/27' }],
    };
    expect(readList(body, 'json-prefixes')).toEqual({
      ranges: ['2001:4860:4801:10::/64', '66.249.64.0/27'],
      skipped: 0,
    });
  });

  it('parses JAFAR lists and skips entries without exactly one valid prefix', () => {
    const body = {
      synctoken: 17,
      services: [{ id: 'a' }],
      prefixes: [
        { ipv4Prefix: '192.0.2.0/25', service: 'a', notes: '10.0.0.0/8' },
        { ipv4Prefix: '198.51.100.0/24', ipv6Prefix: '2001:db8::/32' },
        { notes: 'nothing' },
        null,
        { ipv4Prefix: 'x' },
        { ipv4Prefix: '192.0.2.0/25' },
      ],
    };
    expect(readList(body, 'json-prefixes')).toEqual({ ranges: ['192.0.2.0/25'], skipped: 4 });
  });

  it('rejects other content and explains why', () => {
    expect(() => readList('<!DOCTYPE html>', 'json-prefixes')).toThrow(/web page/);
    expect(() => readList('{"prefixes":', 'json-prefixes')).toThrow(/not JSON/);
    expect(() => readList([], 'json-prefixes')).toThrow(/"prefixes"/);
    expect(readList({ prefixes: [] }, 'json-prefixes').ranges).toEqual([]);
  });
});

describe('text', () => {
  it('normalizes and deduplicates blocks and ignores comments', () => {
    const body =
      '\uFEFF# Pingdom\r\n192.0.2.7\r\n\r\n192.0.2.7/32 ; again\n2001:DB8:0::/32 // all\n 192.0.2.77/24 # b\n';
    expect(readList(body, 'text')).toEqual({ ranges: ['192.0.2.7/32', '2001:db8::/32', '192.0.2.0/24'], skipped: 0 });
  });

  it('skips individual invalid lines but rejects prose and web pages', () => {
    expect(readList('192.0.2.1\n192.0.2.256\n192.0.2.2', 'text')).toMatchObject({ skipped: 1 });
    expect(() => readList('Access denied. Your address is\n192.0.2.1', 'text')).toThrow('5 of its 6 entries');
    expect(() => readList('\n <html><a href="list.txt">192.0.2.1</a>', 'text')).toThrow(/web page/);
  });
});

it('parses geofeeds', () => {
  const body = '# Meta\n"31.13.24.0/21",IE,IE-L,Dublin,\n2a03:2880::/32,US,,,\n';
  const expected = { ranges: ['31.13.24.0/21', '2a03:2880::/32'], skipped: 0 };
  expect(readList(body, 'csv-geofeed')).toEqual(expected);
  expect(readList('31.13.24.0/21,IE,IE-L,Dublin,\n2a03:2880::/32,US,,,\n', 'unknown')).toEqual(expected);
});

describe('JSONPath', () => {
  it.each([
    [
      '$.prefixes[?(@.service=="ROUTE53_HEALTHCHECKS")].ip_prefix',
      {
        prefixes: [
          { ip_prefix: '192.0.2.0/24', service: 'ROUTE53_HEALTHCHECKS' },
          { ip_prefix: '198.51.100.0/24', service: 'EC2' },
        ],
      },
      ['192.0.2.0/24'],
    ],
    [
      '$.synthetics["prefixes_ipv4","prefixes_ipv6"][*]',
      { synthetics: { prefixes_ipv4: ['192.0.2.1/32'], prefixes_ipv6: ['2001:db8::/64'] } },
      ['192.0.2.1/32', '2001:db8::/64'],
    ],
    ['$.*[*]', { eu: ['192.0.2.1'], us: ['192.0.2.2'] }, ['192.0.2.1/32', '192.0.2.2/32']],
    ['$[*].ip', [{ ip: '192.0.2.1', ipv6: '::1' }], ['192.0.2.1/32']],
    [
      '$.a[*], $["b,\\"c"][*],$.d',
      { a: ['192.0.2.1'], 'b,"c': ['192.0.2.2'], d: '192.0.2.3' },
      ['192.0.2.1/32', '192.0.2.2/32', '192.0.2.3/32'],
    ],
  ])('selects addresses with %s', (path, body, ranges) => {
    expect(readList(body, `json:${path}`)).toEqual({ ranges, skipped: 0 });
  });

  it('rejects invalid expressions and counts values that are not addresses', () => {
    expect(() => readList({}, 'json:$.a,$.[')).toThrow(
      'JSONPath $.a,$.[ has unexpected ".[" at position 6: use only names',
    );
    // Unsupported expressions must be handled, because stored agent records may contain them.
    for (const path of ["$[?search(@,'(a+)+$')]", '$..*..*']) {
      expect(() => readList(['a'], `json:${path}`)).toThrow(`JSONPath ${path} has unexpected `);
    }
    expect(readList({ a: ['192.0.2.1', 7] }, 'json:$.a[*]')).toEqual({ ranges: ['192.0.2.1/32'], skipped: 1 });
    expect(() => readList({ a: [1, 2] }, 'json:$.a[*]')).toThrow(/are not addresses/);
  });
});

describe('content detection', () => {
  it.each([
    ['json', { ips: [{ ip_address: '192.0.2.1' }], version: '1.2', at: '2026-11-21' }, ['192.0.2.1/32']],
    ['unknown', { prefixes: [{ ip_prefix: '192.0.2.0/24' }] }, ['192.0.2.0/24']],
    ['unknown', ['192.0.2.1', '192.0.2.2'], ['192.0.2.1/32', '192.0.2.2/32']],
    ['unknown', '192.0.2.1, 192.0.2.2\n# end', ['192.0.2.1/32', '192.0.2.2/32']],
  ])('parses format %s with content %j', (format, body, ranges) => {
    expect(readList(body, format).ranges).toEqual(ranges);
  });

  it('rejects web pages and unknown formats', () => {
    const page = '<!doctype html><title>Amazonbot</title><a href="/ips.json">192.0.2.1</a>';
    for (const format of ['json', 'unknown']) expect(() => readList(page, format)).toThrow(/web page/);
    expect(() => readList('{}', 'xml')).toThrow('unknown address list format: xml');
  });
});

it('parses 100,000 blocks and copes with hostile text', () => {
  const blocks = Array.from(
    { length: 100_000 },
    (_, index) => `11.${index >> 16}.${(index >> 8) & 255}.${index & 255}/32`,
  );
  expect(readList(blocks.join('\n'), 'text').ranges).toHaveLength(100_000);
  expect(readList({ prefixes: blocks.map((ipv4Prefix) => ({ ipv4Prefix })) }, 'json-prefixes').ranges).toHaveLength(
    100_000,
  );
  expect(readList(blocks, 'json:$[*]').ranges).toHaveLength(100_000);
  expect(readList(`192.0.2.1\n${'#'.repeat(1_000_000)}\u2028`, 'unknown').ranges).toHaveLength(1);
  expect(readList(`${'\n'.repeat(1_000_000)}192.0.2.1`, 'unknown').ranges).toHaveLength(1);
});

describe('data center lists', () => {
  const getFormat = (host: string): string => DATA_CENTER_LISTS.find(({ url }) => new URL(url).host === host)!.format;

  it.each<[string, unknown, string[]]>([
    [
      'ip-ranges.amazonaws.com',
      {
        syncToken: '1',
        prefixes: [
          { ip_prefix: '11.1.0.0/16', region: 'a', service: 'AMAZON', network_border_group: 'a' },
          { ip_prefix: '11.1.2.0/24', region: 'a', service: 'EC2', network_border_group: 'a' },
          { ip_prefix: '11.1.3.0/24', region: 'GLOBAL', service: 'CLOUDFRONT', network_border_group: 'GLOBAL' },
        ],
        ipv6_prefixes: [
          { ipv6_prefix: '2600:1::/40', region: 'a', service: 'EC2', network_border_group: 'a' },
          { ipv6_prefix: '2600:2::/40', region: 'a', service: 'S3', network_border_group: 'a' },
        ],
      },
      ['11.1.2.0/24', '2600:1::/40'],
    ],
    [
      'www.gstatic.com',
      {
        syncToken: '1',
        prefixes: [
          { ipv4Prefix: '11.1.0.0/20', service: 'Google Cloud', scope: 'a' },
          { ipv6Prefix: '2600:1::/44', service: 'Google Cloud', scope: 'a' },
        ],
      },
      ['11.1.0.0/20', '2600:1::/44'],
    ],
    [
      'docs.oracle.com',
      {
        last_updated_timestamp: '2026-11-01T00:00:00.0',
        regions: [
          { region: 'a', cidrs: [{ cidr: '11.1.0.0/21', tags: ['OCI'] }] },
          { region: 'b', cidrs: [{ cidr: '11.2.0.0/21', tags: ['OSN', 'OBJECT_STORAGE'] }] },
        ],
      },
      ['11.1.0.0/21', '11.2.0.0/21'],
    ],
    [
      'www.digitalocean.com',
      '11.1.0.0/20,NL,NL-NH,Amsterdam,1105 AT\n2600:1::/48,US,US-NY,New York,10011\n',
      ['11.1.0.0/20', '2600:1::/48'],
    ],
    [
      'geoip.linode.com',
      '# Geolocation of addresses, as a feed of RFC 8805\n# a comment, with a comma\n11.1.0.0/24,US,US-NJ,Cedar Knolls,\n2600:1::/48,DE,DE-HE,Frankfurt,\n',
      ['11.1.0.0/24', '2600:1::/48'],
    ],
    [
      'geofeed.constant.com',
      {
        description: 'a',
        asn: 1,
        updated: '2026-11-01T00:00:00+00:00',
        subnets: [{ ip_prefix: '11.1.0.0/19', alpha2code: 'US', region: 'US-NJ', city: 'A', postal_code: '' }],
      },
      ['11.1.0.0/19'],
    ],
  ])('parses the list from %s', (host, body, ranges) => {
    expect(readList(body, getFormat(host))).toEqual({ ranges, skipped: 0 });
  });

  it('use URLs that no agent or proxy uses', () => {
    expect(new Set(DATA_CENTER_LISTS.map(({ url }) => url)).size).toBe(6);
    const agentLists = getBundledCatalog().agents.flatMap(({ verification }) => verification.ip_list_urls ?? []);
    const proxies = getBundledCatalog().proxies.flatMap(({ list_urls: urls }) => urls);
    const urls = new Set([...agentLists.map(({ url }) => url), ...proxies]);
    expect(DATA_CENTER_LISTS.filter(({ url }) => urls.has(url))).toEqual([]);
    // Each list URL has a single format. Lists within the same document are distinguished by URL fragment.
    expect(proxies.filter((proxy) => agentLists.some(({ url }) => url === proxy))).toEqual([]);
  });

  it('rejects data center lists with invalid or implausible content', () => {
    for (const { format } of DATA_CENTER_LISTS) expect(() => readList('<html>11.1.0.0/16', format)).toThrow(/web page/);
    expect(() => readList('11.1.0.0/16', getFormat('docs.oracle.com'))).toThrow(/not JSON/);
    expect(() => readList('Access denied\nCome back later', getFormat('geoip.linode.com'))).toThrow(/not addresses/);
    expect(findSanityFault(readList({ subnets: [] }, getFormat('geofeed.constant.com')).ranges, [])).toBe(
      'it is empty',
    );
    const findFault = (range: string) =>
      findSanityFault(readList({ prefixes: [{ ipv4Prefix: range }] }, getFormat('www.gstatic.com')).ranges, []);
    expect(['0.0.0.0/0', '11.0.0.0/7', '11.0.0.0/8'].map(findFault)).toEqual([
      '0.0.0.0/0 is too wide',
      '10.0.0.0/7 is too wide',
      null,
    ]);
  });
});
