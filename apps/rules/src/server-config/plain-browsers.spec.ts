import topUserAgents from 'top-user-agents';
import { parsePattern } from '#libs/agents';
import { plainBrowsers } from './plain-browsers.js';

const browsers = (...sources: string[]) => plainBrowsers(sources.map((source) => parsePattern(source)!));
const expression = new RegExp(browsers()!.replaceAll('\\z', '$'), 'i');

describe('plainBrowsers', () => {
  it('matches at least 90% of the most common user agents', () => {
    expect(topUserAgents.filter((userAgent) => expression.test(userAgent)).length).toBeGreaterThanOrEqual(
      0.9 * topUserAgents.length,
    );
  });

  it.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Bot',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; GPTBot) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36',
    'GPTBot Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/1 Firefox/1',
  ])('does not recognize %s as a plain browser', (userAgent) => {
    expect(expression.test(userAgent)).toBe(false);
  });

  it.each([
    'Chrome',
    'chrome\\/131',
    'Safari\\/537\\.36$',
    'x86_64',
    '7\\.3',
    '(?:Bot|like Gecko)',
    '\\bMac\\b',
    'Version\\/.{2}',
  ])('returns null if the pattern %s could match a plain browser', (source) => {
    expect(browsers('GPTBot', source)).toBeNull();
  });

  it.each(['GPTBot', 'Chrome-Lighthouse', '\\bYLT Chrome', 'Safari.{0,9}Bot', 'rv:bot'])(
    "returns an expression if the pattern %s can't match a plain browser",
    (source) => {
      expect(browsers(source)).not.toBeNull();
    },
  );
});
