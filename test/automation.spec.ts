import crawlers from 'crawler-user-agents';
import topUserAgents from 'top-user-agents';
import { AutomationJudge } from '#libs/agents';
import { getBundledCatalog, compileCatalog, getBrowserUserAgents } from '#libs/catalog';
import { APPS, PODCAST_PLAYERS, PODCAST_SERVICES } from './kit/app-user-agents.js';
import { HUMAN_USER_AGENTS } from './kit/human-user-agents.js';
import { IMPOSSIBLE_BROWSERS, POSSIBLE_BROWSERS, RARE_BROWSERS } from './kit/rare-browsers.js';
import { UNLISTED_PROGRAMS } from './kit/unlisted-user-agents.js';

const { matcher } = compileCatalog(getBundledCatalog());
const judge = new AutomationJudge();
const at = Date.parse('2026-11-23T12:00:00Z');
const getVerdict = (userAgent: string): string =>
  judge.judge({ headers: { 'User-Agent': userAgent }, path: '/', at }).verdict;
const filterByVerdict = (userAgents: readonly string[], verdict: string): string[] =>
  userAgents.filter((userAgent) => getVerdict(userAgent) === verdict);
/** Returns the user agents if their share exceeds the limit, so test failures list them. */
const listIfAboveShare = (maxShare: number, userAgents: string[], allUserAgents: readonly string[]): string[] =>
  userAgents.length / allUserAgents.length <= maxShare ? [] : userAgents;

describe('AutomationJudge, given only a user agent', () => {
  it('classifies no browsers as automation and at most 2% as unclear', () => {
    const browsers = getBrowserUserAgents();
    expect(browsers.length).toBeGreaterThanOrEqual(635);
    expect(filterByVerdict(browsers, 'likely')).toEqual([]);
    // Leave out the rarest browsers, which come last. Some are so old that `unclear` is the right verdict.
    const common = browsers.slice(0, 635);
    expect(listIfAboveShare(0.02, filterByVerdict(common, 'unclear'), common)).toEqual([]);
  });

  it('classifies no other programs that people use interactively as automation', () => {
    expect(filterByVerdict(HUMAN_USER_AGENTS, 'likely')).toEqual([]);
  });

  it.each(Object.entries(RARE_BROWSERS))("doesn't classify %s as automation", (_, userAgents) => {
    expect(filterByVerdict(userAgents, 'likely')).toEqual([]);
  });

  it.each([
    ['podcast players', PODCAST_PLAYERS],
    ['apps', APPS],
  ])('classifies at most 1%% of %s as automation', (_, userAgents) => {
    expect(userAgents.length).toBeGreaterThanOrEqual(120);
    const accused = filterByVerdict(userAgents, 'likely').filter((userAgent) => matcher.match(userAgent) === null);
    expect(listIfAboveShare(0.01, accused, userAgents)).toEqual([]);
  });

  it('names or detects 98% of the services that fetch podcasts and feeds', () => {
    expect(PODCAST_SERVICES.length).toBeGreaterThanOrEqual(120);
    const missed = PODCAST_SERVICES.filter(
      (userAgent) => matcher.match(userAgent) === null && getVerdict(userAgent) !== 'likely',
    );
    expect(listIfAboveShare(0.02, missed, PODCAST_SERVICES)).toEqual([]);
  });

  it('classifies none of the most common user agents as automation', () => {
    expect(filterByVerdict([...topUserAgents], 'likely')).toEqual([]);
  });

  it('classifies impossible browsers as automation, but not possible ones', () => {
    expect(IMPOSSIBLE_BROWSERS.filter((userAgent) => getVerdict(userAgent) !== 'likely')).toEqual([]);
    expect(filterByVerdict(POSSIBLE_BROWSERS, 'likely')).toEqual([]);
  });

  it("doesn't classify future browser versions as impossible", () => {
    const in2030 = Date.parse('2030-01-01T00:00:00Z');
    const later = topUserAgents.map((userAgent) =>
      userAgent
        .replaceAll(
          /\b(Chrome\/|Firefox\/|rv:|Edg\/)(\d+)/g,
          (_, name: string, version) => `${name}${Number(version) + 80}`,
        )
        .replaceAll(/(Chrome\/\d+)\.0\.\d+\.\d+/g, '$1.0.0.0'),
    );
    const misclassified = later.filter((userAgent) =>
      judge.judge({ headers: { 'User-Agent': userAgent }, path: '/', at: in2030 }).signs.includes('impossible_browser'),
    );
    expect(misclassified).toEqual([]);
  });

  it("detects 97% of programs that aren't in the catalog", () => {
    expect(UNLISTED_PROGRAMS.filter((userAgent) => matcher.match(userAgent) !== null)).toEqual([]);
    expect(UNLISTED_PROGRAMS.length).toBeGreaterThanOrEqual(290);
    const missed = UNLISTED_PROGRAMS.filter((userAgent) => getVerdict(userAgent) !== 'likely');
    expect(listIfAboveShare(0.03, missed, UNLISTED_PROGRAMS)).toEqual([]);
  });

  it('detects 99.8% of the crawlers in crawler-user-agents when combined with the catalog', () => {
    const instances = [...new Set(crawlers.flatMap((crawler) => crawler.instances))];
    const missed = instances.filter(
      (userAgent) => matcher.match(userAgent) === null && getVerdict(userAgent) !== 'likely',
    );
    expect(listIfAboveShare(0.002, missed, instances)).toEqual([]);
  });
});
