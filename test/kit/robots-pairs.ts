/** Agents, paths and files, by which parsers of robots.txt are compared. */
import { bundledCatalog, type Agent } from '#libs/catalog';

/** By RFC 9309 section 2.2.1: parsers differ about other names. */
const PRODUCT_TOKEN = /^[A-Za-z_-]{4,}$/;
const AGENTS = 100;
/** The others are in the group for everybody. */
const NAMED = 60;

/** Agents of the catalog that are known by their User-Agent, and obey a name that is not part of another's. */
export function robotsAgents(): (Agent & { robots_token: string })[] {
  const chosen: (Agent & { robots_token: string })[] = [];
  const { agents } = bundledCatalog();
  for (const [index, agent] of agents.entries()) {
    const { robots_token: token, sample_user_agents: samples = [] } = agent;
    // From the whole alphabet; Protego takes a name for that of every agent with a word that begins with it.
    if (index % 15 !== 0 || token === null || !PRODUCT_TOKEN.test(token) || samples.length === 0) continue;
    const overlaps = (other: string): boolean =>
      [other, token].some((one) => (one === other ? token : other).toLowerCase().includes(one.toLowerCase()));
    if (chosen.length < AGENTS && !chosen.some((other) => overlaps(other.robots_token))) {
      chosen.push({ ...agent, robots_token: token });
    }
  }
  return chosen;
}

const RULES = [
  ['Disallow: /'],
  ['Disallow: /', 'Allow: /press/', 'Allow: /$'],
  ['Disallow: /private/', 'Disallow: /search', 'Allow: /private/press/'],
  ['Disallow: /*.pdf$', 'Disallow: /*?', 'Allow: /*?page='],
  ['Disallow: /shop/*/reviews', 'Allow: /shop/*/reviews/best'],
  ['Disallow:'],
  ['Allow: /private/', 'Disallow: /private/a', 'Disallow: /caf%C3%A9', 'Disallow: /a%2Fb'],
  ['Disallow: /*/drafts/*/old$', 'Disallow: /tie', 'Allow: /tie'],
] as const;

/** Files as a site may serve them one after the other: the rules of each group move on. */
export function robotsFiles(): string[] {
  const tokens = robotsAgents().map(({ robots_token: token }) => token);
  return [0, 3, 5].map((shift) => {
    const groups = Array.from({ length: NAMED / 10 }, (_, group) => [
      ...tokens
        .slice(group * 10, group * 10 + 10)
        .map((token, at) => `User-agent: ${at % 2 ? token : token.toLowerCase()}`),
      ...RULES[(group + shift) % RULES.length]!,
    ]);
    const rest = ['User-agent: *', 'Crawl-delay: 1', ...RULES[(shift + 6) % RULES.length]!];
    return [['# A site', 'Sitemap: https://shop.example/sitemap.xml'], rest, ...groups]
      .map((lines) => lines.join('\n'))
      .join('\n\n');
  });
}

/** Fifty, as clients send them. None has an empty query, which robots-parser leaves out. */
export const ROBOTS_PATHS = [
  '/ /press/ /press/a.pdf /private/ /private/a /private/a.html?b /private/press/ /private/press/x.pdf /Private/a /search',
  '/search?q=a /searching /caf%C3%A9 /caf%c3%a9/menu /a%2Fb /a/b /tie /tied?x=1 /a.pdf /a.pdf?x /a.pdfx /b?page=2 /b?y',
  '/b?x=1&page=2 /shop/1/reviews /shop/1/reviews/best /shop/1/2/reviews /shop/reviews /x/drafts/1/old /x/drafts/1/older',
  '/x/drafts/old /drafts/1/old',
]
  .flatMap((line) => line.split(' '))
  .concat(Array.from({ length: 18 }, (_, index) => `/articles/${index}${index % 3 === 0 ? '?page=1' : ''}`));
