import crawlers from 'crawler-user-agents';
import topUserAgents from 'top-user-agents';
import { AutomationJudge } from '#libs/agents';
import { bundledCatalog, compileCatalog, peoplesBrowsers } from '#libs/catalog';
import { PEOPLES_PROGRAMS } from './kit/peoples-programs.js';
import { IMPOSSIBLE_BROWSERS, POSSIBLE_BROWSERS, RARE_BROWSERS } from './kit/rare-browsers.js';
import { UNLISTED_PROGRAMS } from './kit/unlisted-user-agents.js';

const { matcher } = compileCatalog(bundledCatalog());
const judge = new AutomationJudge();
const at = Date.parse('2026-11-23T12:00:00Z');
const verdictOf = (userAgent: string): string =>
  judge.judge({ headers: { 'User-Agent': userAgent }, path: '/', at }).verdict;
const those = (userAgents: readonly string[], verdict: string): string[] =>
  userAgents.filter((userAgent) => verdictOf(userAgent) === verdict);
/** Returns the user agents if their share exceeds the limit, so a failed test lists them. */
const shownAbove = (most: number, userAgents: string[], of: readonly string[]): string[] =>
  userAgents.length / of.length <= most ? [] : userAgents;

describe('AutomationJudge with only a user agent', () => {
  it('classifies no browser as automation and at most 2 in 100 as unclear', () => {
    const browsers = peoplesBrowsers();
    expect(browsers.length).toBeGreaterThanOrEqual(635);
    expect(those(browsers, 'likely')).toEqual([]);
    // Rare browsers come last. Some are so old that `unclear` is right.
    const common = browsers.slice(0, 635);
    expect(shownAbove(0.02, those(common, 'unclear'), common)).toEqual([]);
  });

  it('classifies no other program that people browse or play with as automation', () => {
    expect(those(PEOPLES_PROGRAMS, 'likely')).toEqual([]);
  });

  it.each(Object.entries(RARE_BROWSERS))('classifies none of the %s as automation', (_, userAgents) => {
    expect(those(userAgents, 'likely')).toEqual([]);
  });

  it('classifies none of the most frequent user agents as automation', () => {
    expect(those([...topUserAgents], 'likely')).toEqual([]);
  });

  it('classifies impossible browsers as automation, but not possible ones', () => {
    expect(IMPOSSIBLE_BROWSERS.filter((userAgent) => verdictOf(userAgent) !== 'likely')).toEqual([]);
    expect(those(POSSIBLE_BROWSERS, 'likely')).toEqual([]);
  });

  it('does not classify later versions as impossible browsers', () => {
    const in2030 = Date.parse('2030-01-01T00:00:00Z');
    const later = topUserAgents.map((userAgent) =>
      userAgent
        .replaceAll(
          /\b(Chrome\/|Firefox\/|rv:|Edg\/)(\d+)/g,
          (_, name: string, version) => `${name}${Number(version) + 80}`,
        )
        .replaceAll(/(Chrome\/\d+)\.0\.\d+\.\d+/g, '$1.0.0.0'),
    );
    const accused = later.filter((userAgent) =>
      judge.judge({ headers: { 'User-Agent': userAgent }, path: '/', at: in2030 }).signs.includes('impossible_browser'),
    );
    expect(accused).toEqual([]);
  });

  it('detects 97 in 100 programs that the catalog does not list', () => {
    expect(UNLISTED_PROGRAMS.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
    expect(UNLISTED_PROGRAMS.length).toBeGreaterThanOrEqual(290);
    const missed = UNLISTED_PROGRAMS.filter((userAgent) => verdictOf(userAgent) !== 'likely');
    expect(shownAbove(0.03, missed, UNLISTED_PROGRAMS)).toEqual([]);
  });

  it('detects 998 in 1,000 crawlers of crawler-user-agents, together with the catalog', () => {
    const instances = [...new Set(crawlers.flatMap((crawler) => crawler.instances))];
    const missed = instances.filter(
      (userAgent) => matcher.match(userAgent) === null && verdictOf(userAgent) !== 'likely',
    );
    expect(shownAbove(0.002, missed, instances)).toEqual([]);
  });
});
