import { generateKeyPairSync } from 'node:crypto';
import { signAgents } from '#libs/catalog';
import { readFeedDocument } from './feed-document.js';
import type { FeedError } from './feed-error.js';

const readFeed = (document: unknown, key: string | null = null) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const { entries, ...rest } = readFeedDocument(Buffer.from(text), key);
  return { ...rest, entries: [...entries] };
};
const readRecords = (document: unknown) =>
  readFeed(document).entries.map((entry) => ('record' in entry ? entry.record : entry.refusal));

const record = {
  token: 'Zyxbot',
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: ['Zyxbot'],
  sample_user_agents: ['Zyxbot/1.0'],
  robots_token: 'Zyxbot',
  verification: {},
};

describe('feed formats', () => {
  it('reads exported agents', () => {
    expect(readFeed([record])).toEqual({
      format: 'agent-traffic',
      signedAt: null,
      entries: [{ name: 'Zyxbot', record }],
    });
  });

  it('reads a crawler-user-agents list', () => {
    const document = [
      {
        pattern: 'Zyx(Bot|Crawler)\\/',
        url: 'https://zyx.example/bot',
        instances: ['Mozilla/5.0 (compatible; ZyxCrawler/2.1; +https://zyx.example/bot)'],
        tags: ['seo', 'ai-crawler'],
        addition_date: '2026/11/01',
      },
      { pattern: 'zyx-lib', instances: [], tags: ['http-library'], url: 'javascript:alert(1)' },
      { pattern: 'zyx[\\s\\S]*bot', instances: ['zyx-bot'] },
      { pattern: 'Zyx\\/[0-9]{2}', instances: ['Zyxx'] },
      { instances: [] },
    ];
    expect(readFeed(document).format).toBe('crawler-user-agents');
    expect(readRecords(document)).toEqual([
      {
        ...record,
        token: 'ZyxCrawler',
        type: 'AI Data Scraper',
        url: 'https://zyx.example/bot',
        user_agent_patterns: ['Zyx(?:Bot|Crawler)\\/'],
        sample_user_agents: ['Mozilla/5.0 (compatible; ZyxCrawler/2.1; +https://zyx.example/bot)'],
        robots_token: null,
      },
      {
        ...record,
        token: 'zyx-lib',
        type: 'Automated Agent',
        user_agent_patterns: ['zyx-lib'],
        sample_user_agents: ['zyx-lib'],
        robots_token: null,
        generic: true,
      },
      'The pattern has a whitespace class "\\s" at position 5: write a space.',
      'The pattern does not match any of the listed User-Agents.',
      'The entry has no pattern.',
    ]);
  });

  it.each<[string, (pattern: string) => object]>([
    ['crawler-user-agents', (pattern) => ({ pattern })],
    ['well-known-bots', (pattern) => ({ id: 'zyx', pattern: { accepted: [pattern] } })],
  ])('rejects overlong %s patterns but reads the other entries', (_format, entryOf) => {
    const patterns = [`${'(?:'.repeat(5_000)}zyx${')'.repeat(5_000)}`, `${'a'.repeat(8_000)}b`, 'Zyxbot'];
    expect(readRecords(patterns.map(entryOf))).toEqual([
      'The pattern has 20,003 characters, but the maximum is 500: shorten it or split it into several patterns.',
      'The pattern has 8,001 characters, but the maximum is 500: shorten it or split it into several patterns.',
      expect.objectContaining({ token: 'Zyxbot' }),
    ]);
  });

  it('reads robots.json from ai.robots.txt', () => {
    const facts = { respect: 'Yes', frequency: 'Daily.', description: 'Reads.' };
    const document = {
      'Zyx-Bot': { ...facts, operator: '[Zyx](https://zyx.example/about)', function: 'AI Search Crawlers' },
      'Zyx.ai': { ...facts, operator: 'Unclear at this time.', function: 'Content is used to train a model.' },
      Zyxer: { ...facts, operator: 'https://zyx.example/er', function: 'Something else' },
      Zyxest: 'text',
    };
    expect(readFeed(document).format).toBe('ai.robots.txt');
    expect(readRecords(document)).toMatchObject([
      {
        token: 'Zyx-Bot',
        type: 'AI Search Crawler',
        operator: 'Zyx',
        url: 'https://zyx.example/about',
        robots_token: 'Zyx-Bot',
        user_agent_patterns: ['Zyx-Bot'],
      },
      { token: 'Zyx.ai', type: 'AI Data Scraper', operator: null, url: null, user_agent_patterns: ['Zyx\\.ai'] },
      { token: 'Zyxer', type: 'Undocumented AI Agent', operator: null, url: 'https://zyx.example/er' },
      'The entry is not an object.',
    ]);
  });

  it('reads well-known-bots and converts verification methods that have an exact equivalent', () => {
    const zyx = {
      id: 'zyx-crawler',
      categories: ['google', 'search-engine'],
      pattern: { accepted: ['ZyxBot\\/'], forbidden: [] },
      url: 'http://zyx.example/bot',
      instances: { accepted: ['ZyxBot/2.1 (+http://zyx.example/bot)'], rejected: [] },
      verification: [
        {
          type: 'cidr',
          sources: [
            { type: 'http-json', url: 'https://zyx.example/ips.json', selector: '$.a[*][\\"v4\\",\\"v6\\"]' },
            { type: 'http-text', url: 'https://zyx.example/ips.txt' },
            { type: 'http-text', url: 'http://zyx.example/plain.txt' },
          ],
        },
        { type: 'dns', masks: ['crawl-***.zyx.example', '@.bots.zyx.example', '@.example'] },
        { type: 'ip', ips: ['192.0.2.7', '2001:db8::/32', 'x'] },
      ],
    };
    const several = { ...zyx, pattern: { accepted: ['a', 'b'], forbidden: [] } };
    expect(readFeed([zyx]).format).toBe('well-known-bots');
    expect(readRecords([zyx, several, 7])).toEqual([
      {
        ...record,
        token: 'ZyxBot',
        type: 'Search Engine Crawler',
        operator: 'Google',
        url: 'http://zyx.example/bot',
        user_agent_patterns: ['ZyxBot\\/'],
        sample_user_agents: ['ZyxBot/2.1 (+http://zyx.example/bot)'],
        robots_token: null,
        verification: {
          reverse_dns_suffixes: ['bots.zyx.example'],
          ip_list_urls: [
            { url: 'https://zyx.example/ips.json', format: 'json:$.a[*]["v4","v6"]' },
            { url: 'https://zyx.example/ips.txt', format: 'text' },
          ],
          ip_ranges: ['192.0.2.7/32', '2001:db8::/32'],
        },
      },
      "The entry has several patterns or an exclusion, which feeds can't express. Add the agent yourself.",
      'The entry has no pattern.',
    ]);
  });
});

describe('feed signatures', () => {
  const keys = () =>
    generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  const [feedKeys, otherKeys] = [keys(), keys()];
  const signed = signAgents(JSON.stringify([record]), feedKeys.privateKey, Date.UTC(2026, 10, 21));

  it("verifies documents with the feed's key", () => {
    expect(readFeed(signed, feedKeys.publicKey)).toMatchObject({
      signedAt: Date.UTC(2026, 10, 21),
      entries: [{ record }],
    });
    const payload = Buffer.from(JSON.stringify([{ ...record, token: 'Other' }])).toString('base64url');
    const unsignedHeader = { ...signed, protected: Buffer.from('{"alg":"none"}').toString('base64url') };
    for (const [document, key] of [
      [signed, otherKeys.publicKey],
      [{ ...signed, payload }, feedKeys.publicKey],
      [{ ...signed, signature: '' }, feedKeys.publicKey],
      [unsignedHeader, feedKeys.publicKey],
      [signed, null],
      [[record], feedKeys.publicKey],
    ] as const) {
      expect(() => readFeed(document, key)).toThrow(expect.objectContaining({ fault: 'signature' }));
    }
  });
});

it.each<[FeedError['fault'], unknown]>([
  ['too_large', `[${' '.repeat(10_000_000)}]`],
  ['too_large', `[${'0,'.repeat(400_000)}0]`],
  ['unreadable', '['.repeat(100_000)],
  ['unreadable', '[{"token":"a"'],
  ['unreadable', '<!doctype html>'],
  ['unknown_format', '[]'],
  ['unknown_format', '{}'],
  ['unknown_format', '{"a":{"b":1}}'],
  ['unknown_format', 'null'],
  ['too_many_agents', Array.from({ length: 100_000 }, (_, index) => ({ pattern: `zyx${index}` }))],
])('rejects a document with the fault %s', (fault, document) => {
  expect(() => readFeed(document)).toThrow(expect.objectContaining({ fault }));
});

it('links to the documentation for supported formats', () => {
  expect(() => readFeed('{}')).toThrow(
    'The document has no agents in a supported format. See docs/catalog.md for the formats.',
  );
});

it("rejects documents that aren't encoded as UTF-8", () => {
  const text = JSON.stringify([record]);
  for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from('[{"token":"é"}]', 'latin1')]) {
    expect(() => readFeedDocument(bytes, null)).toThrow('The document is not UTF-8.');
  }
  expect([...readFeedDocument(Buffer.from(`\ufeff${text}`), null).entries]).toHaveLength(1);
});
