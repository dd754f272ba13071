import { absurdity, MOST_RANGES, readAddressList } from './address-list.js';
import { readIpListsFile, readKeyDirectoriesFile } from './pinned-files.js';

const read = (value: unknown, format: string) => {
  const { ranges, skipped } = readAddressList(typeof value === 'string' ? value : JSON.stringify(value), format);
  return [ranges, skipped];
};

describe('readAddressList', () => {
  it.each<[string, unknown, string[], number]>([
    [
      'json-prefixes',
      {
        creationTime: '2026-11-01T00:00:00',
        prefixes: [{ ipv4Prefix: '192.0.2.0/24' }, { ipv6Prefix: '2001:db8::/48', services: ['crawl'] }],
        synctoken: 7,
      },
      ['192.0.2.0/24', '2001:db8::/48'],
      0,
    ],
    // As the draft of JAFAR says of both, of neither, and of what is no object.
    [
      'json-prefixes',
      {
        prefixes: [{ ipv4Prefix: '192.0.2.0/24', ipv6Prefix: '2001:db8::/48' }, {}, null, { ipv4Prefix: '192.0.2.9' }],
      },
      ['192.0.2.9'],
      3,
    ],
    [
      'text',
      '# crawlers\r\n192.0.2.1\n\n 198.51.100.0/25 # second\n2001:db8::1\nsoon',
      ['192.0.2.1', '198.51.100.0/25', '2001:db8::1'],
      1,
    ],
    ['csv-geofeed', 'prefix,country\n192.0.2.0/24,US,US-CA,,\n#192.0.3.0/24,US\n', ['192.0.2.0/24'], 1],
    ['json:$.*[*]', { us: ['192.0.2.1'], eu: ['192.0.2.2', '192.0.2.1'] }, ['192.0.2.1', '192.0.2.2'], 0],
    [
      'json:$.addresses[*],$.ipv6_addresses[*]',
      { addresses: ['192.0.2.0/24'], ipv6_addresses: ['2001:db8::/32'] },
      ['192.0.2.0/24', '2001:db8::/32'],
      0,
    ],
    [
      'json:$.synthetics["prefixes_ipv4","prefixes_ipv6"][*]',
      { synthetics: { prefixes_ipv4: ['192.0.2.0/24'], prefixes_ipv6: ['2001:db8::/32'] } },
      ['192.0.2.0/24', '2001:db8::/32'],
      0,
    ],
    [
      "json:$.prefixes[?(@.service=='CDN')].ip_prefix",
      {
        prefixes: [
          { service: 'CDN', ip_prefix: '192.0.2.0/24' },
          { service: 'S3', ip_prefix: '198.51.100.0/24' },
        ],
      },
      ['192.0.2.0/24'],
      0,
    ],
    ['json', { data: { '192.0.2.9': { addresses: ['192.0.2.1'], city: 'Paris' } } }, ['192.0.2.1'], 0],
    ['unknown', '192.0.2.1\n192.0.2.2', ['192.0.2.1', '192.0.2.2'], 0],
    ['unknown', ['192.0.2.1'], ['192.0.2.1'], 0],
  ])('reads %s', (format, body, ranges, skipped) => {
    expect(read(body, format)).toEqual([ranges, skipped]);
  });

  it.each([
    ['json-prefixes', '{"prefixes": []}', 'no address'],
    ['json-prefixes', '[]', 'no array "prefixes"'],
    ['json-prefixes', '<html>', 'not JSON'],
    ['json:$[', '[]', ''],
    ['unknown', '<!doctype html><p>192.0.2.1', 'a page instead of a list'],
    ['text', '', 'no address'],
    ['text', '192.0.2.1\n0.0.0.0/0', '0.0.0.0/0, which is wider than /8'],
    ['text', '2001::/8', 'wider than /16'],
    ['yaml', '192.0.2.1', 'format is not known: yaml'],
  ])('refuses %s, example %#', (format, body, message) => {
    expect(() => readAddressList(body, format)).toThrow(message);
  });

  it('takes a hundred thousand, and no more', () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(readAddressList(list(MOST_RANGES).join('\n'), 'text').ranges).toHaveLength(MOST_RANGES);
    expect(() => readAddressList(list(MOST_RANGES + 1).join('\n'), 'text')).toThrow('more than 100000');
  });
});

it('tells a list that lost more than half', () => {
  const ranges = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n}`);
  expect(absurdity(ranges(1), null)).toBeNull();
  expect(absurdity(ranges(5), ranges(10))).toBeNull();
  expect(absurdity(ranges(4), ranges(10))).toContain('from 10 ranges to 4');
});

describe('pinned files', () => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

  it('hold key sets by origin or address', () => {
    const sets = { 'https://a.example': { keys: [jwk] }, 'https://b.example/jwks.json': jwk };
    const directories = readKeyDirectoriesFile(JSON.stringify(sets));
    expect([...directories]).toEqual([
      ['https://a.example/.well-known/http-message-signatures-directory', { keys: [jwk] }],
      ['https://b.example/jwks.json', { keys: [jwk] }],
    ]);
  });

  it('hold lists as blocks, or as they are published', () => {
    const lists = {
      'https://a.example/': ['192.0.2.0/24'],
      'https://b.example/': { prefixes: [{ ipv4Prefix: '192.0.2.1' }] },
    };
    expect([...readIpListsFile(JSON.stringify(lists))]).toEqual([
      ['https://a.example/', ['192.0.2.0/24']],
      ['https://b.example/', ['192.0.2.1']],
    ]);
  });

  it.each<[(text: string) => unknown, unknown, string]>([
    [readKeyDirectoriesFile, [], 'must be a JSON object'],
    [readKeyDirectoriesFile, { 'http://a.example': jwk }, 'http://a.example is no https address'],
    [readKeyDirectoriesFile, { 'https://a.example': 'keys' }, 'https://a.example: '],
    [readIpListsFile, { 'https://a.example': ['192.0.2.1', 'x'] }, 'https://a.example: "x" is no CIDR block'],
    [readIpListsFile, { 'https://a.example': {} }, 'https://a.example: it holds no address'],
  ])('say where they are wrong: %#', (readFile, content, message) => {
    expect(() => readFile(JSON.stringify(content))).toThrow(message);
  });
});
