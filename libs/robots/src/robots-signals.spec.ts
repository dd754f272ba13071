import { MAX_SIGNALS, parseRobotsSignals } from './robots-signals.js';

const parseSignals = (text: string) => parseRobotsSignals(new TextEncoder().encode(text));
const EMPTY_SIGNAL = { path: null, preferences: [], url: null, seconds: null };

it('parseRobotsSignals returns signals with their lines and groups', () => {
  const text = `# As a content delivery network prepends it
User-agent: *
Content-signal: search=yes, ai-input=no,AI-Train=no # policy
Allow: /

User-agent: GPTBot
User-agent: CCBot
Crawl-delay: 1.5
Content-Usage: /press/ train-ai=y, search=n
Disallow: /private/

License: https://shop.example/license.xml
Sitemap: https://shop.example/sitemap.xml`;
  expect(parseSignals(text)).toEqual([
    {
      ...EMPTY_SIGNAL,
      kind: 'content-signal',
      line: 3,
      text: 'Content-signal: search=yes, ai-input=no,AI-Train=no',
      userAgents: ['*'],
      preferences: [
        { name: 'search', value: 'yes' },
        { name: 'ai-input', value: 'no' },
        { name: 'ai-train', value: 'no' },
      ],
    },
    {
      ...EMPTY_SIGNAL,
      kind: 'crawl-delay',
      line: 8,
      text: 'Crawl-delay: 1.5',
      userAgents: ['GPTBot', 'CCBot'],
      seconds: 1.5,
    },
    {
      ...EMPTY_SIGNAL,
      kind: 'content-usage',
      line: 9,
      text: 'Content-Usage: /press/ train-ai=y, search=n',
      userAgents: ['GPTBot', 'CCBot'],
      path: '/press/',
      preferences: [
        { name: 'train-ai', value: 'yes' },
        { name: 'search', value: 'no' },
      ],
    },
    {
      ...EMPTY_SIGNAL,
      kind: 'license',
      line: 12,
      text: 'License: https://shop.example/license.xml',
      userAgents: [],
      url: 'https://shop.example/license.xml',
    },
    {
      ...EMPTY_SIGNAL,
      kind: 'sitemap',
      line: 13,
      text: 'Sitemap: https://shop.example/sitemap.xml',
      userAgents: [],
      url: 'https://shop.example/sitemap.xml',
    },
  ]);
});

it.each([
  ['Content-Usage: train-ai=n, train-ai=y', [{ name: 'train-ai', value: 'yes' }]],
  ['Content-Usage: train-ai=n;x=1', [{ name: 'train-ai', value: 'no' }]],
  ['Content-Usage: train-ai', [{ name: 'train-ai', value: null }]],
  ['Content-Signal: ai-train=maybe', [{ name: 'ai-train', value: null }]],
  ['Content-Signal: ,,=,=no', []],
  ['Content-Signal:', []],
  [`Content-Signal: ${'x'.repeat(60)}=yes`, []],
])('parseRobotsSignals parses the preferences in %s', (line, preferences) =>
  expect(parseSignals(line)).toMatchObject([{ preferences, path: null, userAgents: [] }]),
);

it.each([
  ['Sitemap: /sitemap.xml'],
  ['Sitemap: javascript:alert(1)'],
  ['License: ftp://shop.example/'],
  ['License: https://'],
])('parseRobotsSignals rejects the URL in %s', (line) => expect(parseSignals(line)).toMatchObject([{ url: null }]));

it.each(['Crawl-delay: -1', 'Crawl-delay: soon', 'Crawl-delay: 1e9', 'Crawl-delay: Infinity'])(
  'parseRobotsSignals rejects the number in %s',
  (line) => expect(parseSignals(line)).toMatchObject([{ seconds: null }]),
);

it('parseRobotsSignals limits the result size for a hostile file', () => {
  const names = Array.from({ length: 50 }, (_, index) => `User-agent: ${'x'.repeat(500)}${index}`).join('\n');
  const pairs = Array.from({ length: 100 }, (_, index) => `a${index}=yes`).join();
  const signals = parseSignals(`${names}\nContent-Signal: ${pairs}\n${'Crawl-delay: 1\n'.repeat(2 * MAX_SIGNALS)}`);
  expect(signals).toHaveLength(MAX_SIGNALS);
  expect(signals[0]!.userAgents.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 100));
  expect(signals[0]!.preferences).toHaveLength(20);
  expect(parseSignals(`Sitemap: https://shop.example/${'x'.repeat(3_000)}`)).toEqual([]);
});
