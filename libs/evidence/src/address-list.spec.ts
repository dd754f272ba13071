import { readAddressList } from './address-list.js';

const read = (body: unknown, format: string) =>
  readAddressList(typeof body === 'string' ? body : JSON.stringify(body), format);

describe('json-prefixes', () => {
  it('reads what Google, Bing and OpenAI publish', () => {
    const body = {
      creationTime: '2026-11-20T23:00:00.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801:0010::/64' }, { ipv4Prefix: '66.249.64.0/27' }],
    };
    expect(read(body, 'json-prefixes')).toEqual({ ranges: ['2001:4860:4801:10::/64', '66.249.64.0/27'], skipped: 0 });
  });

  it('reads JAFAR: more members count for nothing, and neither do objects with both prefixes or none', () => {
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
    expect(read(body, 'json-prefixes')).toEqual({ ranges: ['192.0.2.0/25'], skipped: 4 });
  });

  it('says what is wrong with anything else', () => {
    expect(() => read('<!DOCTYPE html>', 'json-prefixes')).toThrow(/web page/);
    expect(() => read('{"prefixes":', 'json-prefixes')).toThrow(/not JSON/);
    expect(() => read([], 'json-prefixes')).toThrow(/"prefixes"/);
    expect(read({ prefixes: [] }, 'json-prefixes').ranges).toEqual([]);
  });
});

describe('text', () => {
  it('takes one a line, in canonical form and once, and leaves out comments', () => {
    const body =
      '\uFEFF# Pingdom\r\n192.0.2.7\r\n\r\n192.0.2.7/32 ; again\n2001:DB8:0::/32 // all\n 192.0.2.77/24 # b\n';
    expect(read(body, 'text')).toEqual({ ranges: ['192.0.2.7/32', '2001:db8::/32', '192.0.2.0/24'], skipped: 0 });
  });

  it('skips single faults, but takes no prose for a list', () => {
    expect(read('192.0.2.1\n192.0.2.256\n192.0.2.2', 'text')).toMatchObject({ skipped: 1 });
    expect(() => read('Access denied. Your address is\n192.0.2.1', 'text')).toThrow('5 of its 6 entries');
    expect(() => read('\n <html><a href="list.txt">192.0.2.1</a>', 'text')).toThrow(/web page/);
  });
});

it('reads geofeeds', () => {
  const body = '# Meta\n"31.13.24.0/21",IE,IE-L,Dublin,\n2a03:2880::/32,US,,,\n';
  const expected = { ranges: ['31.13.24.0/21', '2a03:2880::/32'], skipped: 0 };
  expect(read(body, 'csv-geofeed')).toEqual(expected);
  expect(read('31.13.24.0/21,IE,IE-L,Dublin,\n2a03:2880::/32,US,,,\n', 'unknown')).toEqual(expected);
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
    ['$[?match(@["a"], "x|y")].ip', [{ a: 'y', ip: '192.0.2.1' }], ['192.0.2.1/32']],
  ])('%s', (path, body, ranges) => {
    expect(read(body, `json:${path}`)).toEqual({ ranges, skipped: 0 });
  });

  it('says which expression is wrong, and counts what it finds beside addresses', () => {
    expect(() => read({}, 'json:$.a,$.[')).toThrow(/^JSONPath \$\.\[: /);
    expect(read({ a: ['192.0.2.1', 7] }, 'json:$.a[*]')).toEqual({ ranges: ['192.0.2.1/32'], skipped: 1 });
    expect(() => read({ a: [1, 2] }, 'json:$.a[*]')).toThrow(/are not addresses/);
  });
});

describe('by shape', () => {
  it.each([
    ['json', { ips: [{ ip_address: '192.0.2.1' }], version: '1.2', at: '2026-11-21' }, ['192.0.2.1/32']],
    ['unknown', { prefixes: [{ ip_prefix: '192.0.2.0/24' }] }, ['192.0.2.0/24']],
    ['unknown', ['192.0.2.1', '192.0.2.2'], ['192.0.2.1/32', '192.0.2.2/32']],
    ['unknown', '192.0.2.1, 192.0.2.2\n# end', ['192.0.2.1/32', '192.0.2.2/32']],
  ])('%s: %j', (format, body, ranges) => {
    expect(read(body, format).ranges).toEqual(ranges);
  });

  it('refuses pages with a link to the list', () => {
    const page = '<!doctype html><title>Amazonbot</title><a href="/ips.json">192.0.2.1</a>';
    for (const format of ['json', 'unknown']) expect(() => read(page, format)).toThrow(/web page/);
    expect(() => read('{}', 'xml')).toThrow('unknown format of an address list: xml');
  });
});

it('reads a hundred thousand blocks, and text made to be slow', () => {
  const blocks = Array.from(
    { length: 100_000 },
    (_, index) => `11.${index >> 16}.${(index >> 8) & 255}.${index & 255}/32`,
  );
  expect(read(blocks.join('\n'), 'text').ranges).toHaveLength(100_000);
  expect(read({ prefixes: blocks.map((ipv4Prefix) => ({ ipv4Prefix })) }, 'json-prefixes').ranges).toHaveLength(
    100_000,
  );
  expect(read(blocks, 'json:$[*]').ranges).toHaveLength(100_000);
  expect(read(`192.0.2.1\n${'#'.repeat(1_000_000)}\u2028`, 'unknown').ranges).toHaveLength(1);
  expect(read(`${'\n'.repeat(1_000_000)}192.0.2.1`, 'unknown').ranges).toHaveLength(1);
});
