import { generateKeyPairSync } from 'node:crypto';
import { signAgents } from '#libs/catalog';
import { readFeedDocument } from './feed-document.js';
import type { FeedError } from './feed-error.js';

const read = (document: unknown, key: string | null = null) => {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const { entries, ...rest } = readFeedDocument(Buffer.from(text), key);
  return { ...rest, entries: [...entries] };
};
const records = (document: unknown) =>
  read(document).entries.map((entry) => ('record' in entry ? entry.record : entry.refusal));

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
    expect(read([record])).toEqual({ format: 'agent-traffic', signedAt: null, entries: [{ name: 'Zyxbot', record }] });
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
    expect(read(document).format).toBe('crawler-user-agents');
    expect(records(document)).toEqual([
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
      'Its pattern has a class of spaces "\\s" at position 5: write a space.',
      'None of its User-Agents is one that its pattern matches.',
      'It has no pattern.',
    ]);
  });

  it.each<[string, (pattern: string) => object]>([
    ['crawler-user-agents', (pattern) => ({ pattern })],
    ['well-known-bots', (pattern) => ({ id: 'zyx', pattern: { accepted: [pattern] } })],
  ])('rejects overlong %s patterns and reads the other entries', (_format, entryOf) => {
    const patterns = [`${'(?:'.repeat(5_000)}zyx${')'.repeat(5_000)}`, `${'a'.repeat(8_000)}b`, 'Zyxbot'];
    expect(records(patterns.map(entryOf))).toEqual([
      'Its pattern has 20,003 characters, more than 500: shorten it, or write several patterns.',
      'Its pattern has 8,001 characters, more than 500: shorten it, or write several patterns.',
      expect.objectContaining({ token: 'Zyxbot' }),
    ]);
  });

  it('reads the robots.json of ai.robots.txt', () => {
    const facts = { respect: 'Yes', frequency: 'Daily.', description: 'Reads.' };
    const document = {
      'Zyx-Bot': { ...facts, operator: '[Zyx](https://zyx.example/about)', function: 'AI Search Crawlers' },
      'Zyx.ai': { ...facts, operator: 'Unclear at this time.', function: 'Content is used to train a model.' },
      Zyxer: { ...facts, operator: 'https://zyx.example/er', function: 'Something else' },
      Zyxest: 'text',
    };
    expect(read(document).format).toBe('ai.robots.txt');
    expect(records(document)).toMatchObject([
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
      'It has no facts.',
    ]);
  });

  it('reads well-known-bots with the verification methods that translate exactly', () => {
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
    expect(read([zyx]).format).toBe('well-known-bots');
    expect(records([zyx, several, 7])).toEqual([
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
      "Uses several patterns or an exclusion, which feeds can't express. Add the agent yourself.",
      'It has no pattern.',
    ]);
  });
});

describe('feed signatures', () => {
  const keys = () =>
    generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  const [ours, others] = [keys(), keys()];
  const signed = signAgents(JSON.stringify([record]), ours.privateKey, Date.UTC(2026, 10, 21));

  it('verifies documents against the key of the feed', () => {
    expect(read(signed, ours.publicKey)).toMatchObject({ signedAt: Date.UTC(2026, 10, 21), entries: [{ record }] });
    const payload = Buffer.from(JSON.stringify([{ ...record, token: 'Other' }])).toString('base64url');
    const none = { ...signed, protected: Buffer.from('{"alg":"none"}').toString('base64url') };
    for (const [document, key] of [
      [signed, others.publicKey],
      [{ ...signed, payload }, ours.publicKey],
      [{ ...signed, signature: '' }, ours.publicKey],
      [none, ours.publicKey],
      [signed, null],
      [[record], ours.publicKey],
    ] as const) {
      expect(() => read(document, key)).toThrow(expect.objectContaining({ fault: 'signature' }));
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
])('rejects the entire document: %s', (fault, document) => {
  expect(() => read(document)).toThrow(expect.objectContaining({ fault }));
});

it('names the page that documents the formats', () => {
  expect(() => read('{}')).toThrow('It has no agents in a format that is known. The formats are in docs/catalog.md.');
});

it('rejects encodings other than UTF-8', () => {
  const text = JSON.stringify([record]);
  for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from('[{"token":"é"}]', 'latin1')]) {
    expect(() => readFeedDocument(bytes, null)).toThrow('It is not UTF-8.');
  }
  expect([...readFeedDocument(Buffer.from(`\ufeff${text}`), null).entries]).toHaveLength(1);
});
