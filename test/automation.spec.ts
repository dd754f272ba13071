import crawlers from 'crawler-user-agents';
import { AutomationJudge } from '#libs/agents';
import { bundledCatalog, compileCatalog, peoplesBrowsers } from '#libs/catalog';
import { PEOPLES_PROGRAMS } from './kit/peoples-programs.js';
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

  it('finds nine in ten programs that the catalog does not know', () => {
    expect(UNLISTED_PROGRAMS.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
    expect(UNLISTED_PROGRAMS.length).toBeGreaterThanOrEqual(290);
    const missed = UNLISTED_PROGRAMS.filter((userAgent) => verdictOf(userAgent) !== 'likely');
    expect(shownAbove(0.1, missed, UNLISTED_PROGRAMS)).toEqual([]);
  });

  it('finds 999 in a thousand crawlers of crawler-user-agents, or the catalog does', () => {
    const instances = [...new Set(crawlers.flatMap((crawler) => crawler.instances))];
    const missed = instances.filter(
      (userAgent) => matcher.match(userAgent) === null && verdictOf(userAgent) !== 'likely',
    );
    expect(shownAbove(0.001, missed, instances)).toEqual([]);
  });
});
