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
/** What is left over is shown where it has become too much. */
const shownAbove = (most: number, userAgents: string[], of: readonly string[]): string[] =>
  userAgents.length / of.length <= most ? [] : userAgents;

describe('automation, by the user agent alone', () => {
  it('accuses no browser, and doubts two in a hundred at most', () => {
    const browsers = peoplesBrowsers();
    expect(browsers.length).toBeGreaterThanOrEqual(635);
    expect(those(browsers, 'likely')).toEqual([]);
    // Those that are rare come last; some are so old that doubt is right.
    const common = browsers.slice(0, 635);
    expect(shownAbove(0.02, those(common, 'unclear'), common)).toEqual([]);
  });

  it('accuses nothing else that people browse and play with', () => {
    expect(those(PEOPLES_PROGRAMS, 'likely')).toEqual([]);
  });

  it.each(Object.entries(RARE_BROWSERS))('accuses none of the %s', (_, userAgents) => {
    expect(those(userAgents, 'likely')).toEqual([]);
  });

  it('accuses none of the most frequent user agents', () => {
    expect(those([...topUserAgents], 'likely')).toEqual([]);
  });

  it('accuses browsers that never existed', () => {
    expect(IMPOSSIBLE_BROWSERS.filter((userAgent) => verdictOf(userAgent) !== 'likely')).toEqual([]);
    expect(those(POSSIBLE_BROWSERS, 'likely')).toEqual([]);
  });

  it('accuses no version that comes later', () => {
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

  it('finds 97 in 100 programs that the catalog does not know', () => {
    expect(UNLISTED_PROGRAMS.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
    expect(UNLISTED_PROGRAMS.length).toBeGreaterThanOrEqual(290);
    const missed = UNLISTED_PROGRAMS.filter((userAgent) => verdictOf(userAgent) !== 'likely');
    expect(shownAbove(0.03, missed, UNLISTED_PROGRAMS)).toEqual([]);
  });

  it('finds 998 in a thousand crawlers of crawler-user-agents, or the catalog does', () => {
    const instances = [...new Set(crawlers.flatMap((crawler) => crawler.instances))];
    const missed = instances.filter(
      (userAgent) => matcher.match(userAgent) === null && verdictOf(userAgent) !== 'likely',
    );
    expect(shownAbove(0.002, missed, instances)).toEqual([]);
  });
});
