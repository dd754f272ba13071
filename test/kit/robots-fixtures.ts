/** Agents, paths, and files for comparing robots.txt parsers. */
import { getBundledCatalog, type Agent } from '#libs/catalog';

/** Names that conform to RFC 9309, section 2.2.1. Parsers disagree about other names. */
const PRODUCT_TOKEN = /^[A-Za-z_-]{4,}$/;
const MAX_AGENTS = 100;
/** Number of agents that the files name. All others match `*`. */
const NAMED_AGENT_COUNT = 60;

/** Returns agents that are identifiable by User-Agent and whose robots.txt names don't contain each other. */
export function selectRobotsAgents(): (Agent & { robots_token: string })[] {
  const selectedAgents: (Agent & { robots_token: string })[] = [];
  const { agents } = getBundledCatalog();
  for (const [index, agent] of agents.entries()) {
    const { robots_token: token, sample_user_agents: samples = [] } = agent;
    // Use every 15th agent to cover the entire alphabet. Skip names that contain each other, because Protego matches a
    // name to any agent that contains a word starting with that name.
    if (index % 15 !== 0 || token === null || !PRODUCT_TOKEN.test(token) || samples.length === 0) continue;
    const overlaps = (other: string): boolean =>
      [other, token].some((one) => (one === other ? token : other).toLowerCase().includes(one.toLowerCase()));
    if (selectedAgents.length < MAX_AGENTS && !selectedAgents.some((other) => overlaps(other.robots_token))) {
      selectedAgents.push({ ...agent, robots_token: token });
    }
  }
  return selectedAgents;
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

/** Returns successive versions of a site's robots.txt. Each version assigns different rules to the groups. */
export function createRobotsFiles(): string[] {
  const tokens = selectRobotsAgents().map(({ robots_token: token }) => token);
  return [0, 3, 5].map((shift) => {
    const groups = Array.from({ length: NAMED_AGENT_COUNT / 10 }, (_, group) => [
      ...tokens
        .slice(group * 10, group * 10 + 10)
        .map((token, at) => `User-agent: ${at % 2 ? token : token.toLowerCase()}`),
      ...RULES[(group + shift) % RULES.length]!,
    ]);
    const wildcardGroup = ['User-agent: *', 'Crawl-delay: 1', ...RULES[(shift + 6) % RULES.length]!];
    return [['# A site', 'Sitemap: https://shop.example/sitemap.xml'], wildcardGroup, ...groups]
      .map((lines) => lines.join('\n'))
      .join('\n\n');
  });
}

/** Paths as clients send them. None has an empty query, because robots-parser drops empty queries. */
export const ROBOTS_PATHS = [
  '/ /press/ /press/a.pdf /private/ /private/a /private/a.html?b /private/press/ /private/press/x.pdf /Private/a /search',
  '/search?q=a /searching /caf%C3%A9 /caf%c3%a9/menu /a%2Fb /a/b /tie /tied?x=1 /a.pdf /a.pdf?x /a.pdfx /b?page=2 /b?y',
  '/b?x=1&page=2 /shop/1/reviews /shop/1/reviews/best /shop/1/2/reviews /shop/reviews /x/drafts/1/old /x/drafts/1/older',
  '/x/drafts/old /drafts/1/old',
]
  .flatMap((line) => line.split(' '))
  .concat(Array.from({ length: 18 }, (_, index) => `/articles/${index}${index % 3 === 0 ? '?page=1' : ''}`));
