import { suggestAgent } from './suggest-agent.js';

const suggest = (userAgent: string) => {
  const { token, user_agent_patterns: pattern, url } = suggestAgent(userAgent);
  return [token, pattern, url];
};

describe('suggestedAgent', () => {
  it.each([
    ['AcmeFetch/1.7 (+https://acme.example/bot)', 'AcmeFetch', 'AcmeFetch', 'https://acme.example/bot'],
    [
      'Mozilla/5.0 (compatible; ShelfScout/2.3; +https://shelf.example)',
      'ShelfScout',
      'ShelfScout',
      'https://shelf.example',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Orchid/1.0)',
      'Orchid',
      'Orchid',
      '',
    ],
    ['price.watch-sync (build 4)', 'price.watch-sync', 'price\\.watch-sync', ''],
    ['go', 'go', '', ''],
    ['(no user agent)', 'no', '', ''],
    ['', '', '', ''],
  ])('suggests a name, pattern and URL for %p', (userAgent, token, pattern, url) => {
    expect(suggest(userAgent)).toEqual([token, pattern, url]);
  });

  it('uses the user agent as the sample', () => {
    expect(suggestAgent('AcmeFetch/1.7').sample_user_agents).toBe('AcmeFetch/1.7');
  });
});
