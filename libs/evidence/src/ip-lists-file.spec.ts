import { normalizeListUrl, readIpListsFile } from './ip-lists-file.js';

const read = (value: unknown) => readIpListsFile(JSON.stringify(value));

it('accepts arrays and published documents', () => {
  const lists = read({
    'https://Example.com': ['192.0.2.7', '2001:DB8::/32', '192.0.2.7/32'],
    'https://example.com/b.json?x=y': { prefixes: [{ ipv4Prefix: '192.0.2.0/24' }] },
    'https://example.com/c.txt': '# mine\n192.0.2.1\n192.0.2.2',
    'https://example.com/d.json': [{ ip: '192.0.2.3' }],
  });
  expect([...lists]).toEqual([
    ['https://example.com/', ['192.0.2.7/32', '2001:db8::/32']],
    ['https://example.com/b.json?x=y', ['192.0.2.0/24']],
    ['https://example.com/c.txt', ['192.0.2.1/32', '192.0.2.2/32']],
    ['https://example.com/d.json', ['192.0.2.3/32']],
  ]);
  expect(lists.has(normalizeListUrl('https://EXAMPLE.com')!)).toBe(true);
});

it.each([
  [{ 'http://example.com/': ['192.0.2.1'] }, 'not an https URL: http://example.com/'],
  [{ 'https://a/': ['192.0.2.1', 'x'] }, 'https://a/: not a CIDR block: x'],
  [{ 'https://a/': ['0.0.0.0/0'] }, 'https://a/: 0.0.0.0/0 is too wide'],
  [{ 'https://a/': [] }, 'https://a/: it is empty'],
  [{ 'https://a/': null }, 'https://a/: it is empty'],
  [{ 'https://a/': '<html>' }, 'https://a/: it is a web page'],
  [{ 'https://a/': ['192.0.2.1'], 'https://A': ['192.0.2.1'] }, 'https://A: https://a/ is listed more than once'],
  [[], 'address lists: not a JSON object'],
])('rejects the pinned lists %j', (value, message) => {
  expect(() => read(value)).toThrow(message);
});

it('rejects text that is not JSON', () => {
  expect(() => readIpListsFile('x')).toThrow(/^address lists: not JSON: /);
});
