import { parseCrawlDelays } from './crawl-delays.js';

const find = (text: string, token: string) => parseCrawlDelays(new TextEncoder().encode(text)).find(token);

describe('parseCrawlDelays', () => {
  it.each([
    ['GPTBot', 10],
    ['gptbot', 10],
    ['CCBot', null],
    ['ClaudeBot', null],
    ['OtherBot', 2.5],
    ['*', 2.5],
  ])('finds the delay for %s', (token, seconds) => {
    const text = `User-agent: *
Crawl-delay: 2.5
Disallow: /cart

User-agent: GPTBot/1.2
Crawl-delay: 10 # please
User-agent: CCBot
Disallow: /private/

User-agent: ClaudeBot
Disallow:`;
    expect(find(text, token)).toBe(seconds);
  });

  it.each(['10', 'ten'])('ends a list of user agents at the delay "%s"', (value) => {
    const text = `User-agent: bingbot\nUser-agent: msnbot\nCrawl-delay: ${value}\n\nUser-agent: *\nDisallow: /admin`;
    const seconds = value === '10' ? 10 : null;
    expect(find(text, 'bingbot')).toBe(seconds);
    expect(find(text, 'msnbot')).toBe(seconds);
    expect(find(text, 'GPTBot')).toBeNull();
    expect(find(`${text}\nCrawl-delay: 3`, 'GPTBot')).toBe(3);
    expect(find(`${text}\nCrawl-delay: 3`, 'bingbot')).toBe(seconds);
  });

  it('applies the shortest delay of several groups', () => {
    expect(find('User-agent: a\nCrawl-delay: 10\nDisallow: /\nUser-agent: a\nCrawl-delay: 5', 'a')).toBe(5);
    expect(find('User-agent: a\nCrawl-delay: 10\nCrawl-delay: 20\nDisallow: /\nUser-agent: a', 'a')).toBe(10);
  });

  it.each(['', '-1', '0', 'ten', '1s', 'Infinity', '86401'])('ignores the delay "%s"', (value) => {
    expect(find(`User-agent: *\nCrawl-delay: ${value}`, 'a')).toBeNull();
  });

  it('ignores a delay outside of any group', () => {
    expect(find('Crawl-delay: 10\nUser-agent: *\nDisallow: /', 'a')).toBeNull();
  });
});
