import { SeededRandom } from './seeded-random.js';

/** Path patterns by name. */
const PATH_PATTERNS = {
  Blog: '/blog/*',
  'Search results': '/search*',
  Downloads: '*.pdf',
  Products: '/*/*',
};

const LIST_PRICES = [{ currency: 'USD', amount: '0.01' }];

/** Demo project. Its top-level domain is reserved (RFC 2606). */
export const DEMO_PROJECT = {
  name: 'Demo shop',
  site_address: 'https://demo-shop.example',
  host_names: ['demo-shop.example'],
  price_per_gb: 0.09,
  price_per_server_hour: 2.5,
  list_prices: LIST_PRICES,
  path_patterns: Object.entries(PATH_PATTERNS).map(([name, pattern]) => ({ name, pattern })),
} as const;

const CATEGORIES = ['chairs', 'tables', 'lamps', 'shelves', 'rugs', 'plants'];
export const PRODUCTS = CATEGORIES.flatMap((category) =>
  ['oslo', 'lisbon', 'kyoto', 'quito', 'bern', 'cork', 'lima', 'bath'].map((name) => `/${category}/${name}`),
);
export const ARTICLES = ['choosing-a-chair', 'light-for-work', 'caring-for-oak', 'small-rooms', 'delivery-in-winter'];
/** Articles that the shop only has as HTML, unless the URL ends with `.md`. */
const UNTRANSLATED_ARTICLES: ReadonlySet<string> = new Set(['/blog/choosing-a-chair', '/blog/small-rooms']);
/** Content type of the shop's pages. */
const HTML = 'text/html; charset=utf-8';
export const PAGES = ['/', ...CATEGORIES.map((category) => `/${category}`), '/sale', '/delivery', '/about'];
/** Section that agents stopped fetching. */
export const OLD_PAGES = ['oak', 'linen', 'brass', 'wool', 'clay'].map((name) => `/lookbook-2019/${name}`);
const FILES = [
  { path: '/robots.txt', status: 200 },
  { path: '/robots.txt', status: 200 },
  { path: '/robots.txt', status: 200 },
  { path: '/llms.txt', status: 200 },
  { path: '/.well-known/ucp', status: 404 },
];
const DISCOVERY_FILES = [
  { path: '/.well-known/ucp', status: 404 },
  { path: '/llms.txt', status: 200 },
  { path: '/.well-known/mcp/server-card.json', status: 404 },
  { path: '/.well-known/oauth-protected-resource/mcp', status: 404 },
  { path: '/.well-known/agent-card.json', status: 404 },
  { path: '/llms-full.txt', status: 404 },
  { path: '/.well-known/agent-skills/index.json', status: 404 },
];
/** Print catalog, which is much larger than any page. */
const PRINT_CATALOG = { path: '/downloads/catalog.pdf', bytes: 38_400_000 };
const COLORS = ['oak', 'walnut', 'white', 'black', 'green', 'blue'];
const SORT_ORDERS = ['price', 'newest', 'name'];
const PROBED_PATHS = ['/wp-login.php', '/.env', '/admin', '/.git/config', '/phpmyadmin/', '/backup.zip'];

export interface ShopRequest {
  path: string;
  status: number;
  /** Response duration in milliseconds. */
  duration: number;
  method?: string;
  contentType?: string;
}

export const REQUEST_GENERATORS = {
  crawl: (random: SeededRandom): ShopRequest => {
    if (random.chance(0.04)) return { ...random.pickEarly(FILES), duration: 2 };
    if (random.chance(0.02)) return { path: '/sitemap.xml', status: 200, duration: 15 };
    const path = random.chance(0.15)
      ? `/blog/${random.pickEarly(ARTICLES)}`
      : random.pickEarly([...PAGES, ...PRODUCTS]);
    if (random.chance(0.03)) return { path: `${path}-old`, status: 404, duration: 8 };
    if (random.chance(0.05)) return { path: `${path}?page=${2 + random.nextBelow(4)}`, status: 200, duration: 40 };
    return { path, status: random.chance(0.12) ? 304 : 200, duration: 30 + random.nextBelow(120) };
  },
  /** Slow search pages, one for each combination of filters, and the print catalog. */
  search: (random: SeededRandom): ShopRequest => {
    if (random.chance(0.2)) return { path: PRINT_CATALOG.path, status: 200, duration: 400 + random.nextBelow(800) };
    const query = new URLSearchParams({
      category: random.pick(CATEGORIES),
      color: random.pick(COLORS),
      sort: random.pick(SORT_ORDERS),
      page: String(1 + random.nextBelow(9)),
    });
    return { path: `/search?${query}`, status: 200, duration: 1_200 + random.nextBelow(2_800) };
  },
  look: (random: SeededRandom): ShopRequest => ({
    path: random.chance(0.7) ? random.pickEarly(PRODUCTS) : `/blog/${random.pickEarly(ARTICLES)}`,
    status: random.chance(0.02) ? 500 : 200,
    duration: 40 + random.nextBelow(160),
  }),
  shop: (random: SeededRandom): ShopRequest => {
    if (random.chance(0.06)) return { path: '/cart', status: 302, duration: 90, method: 'POST' };
    if (random.chance(0.02)) return { path: '/checkout', status: 200, duration: 180, method: 'POST' };
    return { path: random.pickEarly([...PAGES, ...PRODUCTS]), status: 200, duration: 30 + random.nextBelow(150) };
  },
  probe: (random: SeededRandom): ShopRequest => ({
    path: random.pick(PROBED_PATHS),
    status: random.chance(0.8) ? 404 : 403,
    duration: 4,
  }),
  read: (random: SeededRandom): ShopRequest => {
    if (random.chance(0.1)) return { path: '/llms.txt', status: 200, duration: 2, contentType: 'text/plain' };
    // The shop sends Markdown at a URL of its own and, if the agent prefers it, at the page's URL.
    const path = `/blog/${random.pickEarly(ARTICLES)}${random.chance(0.4) ? '.md' : ''}`;
    // Some articles have no Markdown yet.
    const isMarkdown = path.endsWith('.md') || !UNTRANSLATED_ARTICLES.has(path);
    const contentType = isMarkdown ? 'text/markdown; charset=utf-8' : HTML;
    return { path, status: 200, duration: 20 + random.nextBelow(40), contentType };
  },
  discover: (random: SeededRandom): ShopRequest => {
    const file = random.pickEarly(DISCOVERY_FILES);
    return { ...file, duration: 3, contentType: file.status === 200 ? 'text/plain' : 'text/html' };
  },
  ask: (): ShopRequest => ({ path: '/robots.txt', status: 403, duration: 1, contentType: 'text/html' }),
  watch: (): ShopRequest => ({ path: '/', status: 200, duration: 25, method: 'HEAD' }),
  revisit: (random: SeededRandom): ShopRequest => ({ path: random.pick(OLD_PAGES), status: 200, duration: 45 }),
  share: (random: SeededRandom): ShopRequest => ({ path: random.pickEarly(PRODUCTS), status: 200, duration: 35 }),
} as const;

export type RequestKind = keyof typeof REQUEST_GENERATORS;

const CONTENT_TYPES: readonly (readonly [extension: string, type: string])[] = [
  ['.pdf', 'application/pdf'],
  ['.txt', 'text/plain'],
  ['.xml', 'application/xml'],
];

/** Returns the content type of a successful response to a GET request. */
export function getContentType(path: string): string {
  const [file = ''] = path.split('?', 1);
  return CONTENT_TYPES.find(([extension]) => file.endsWith(extension))?.[1] ?? HTML;
}

/** Returns the size of a response body in bytes. It only depends on the path, method and status. */
export function getResponseSize({ path, method, status }: { path: string; method: string; status: number }): number {
  if (method === 'HEAD' || status === 304) return 0;
  if (path === PRINT_CATALOG.path && status === 200) return PRINT_CATALOG.bytes;
  const random = new SeededRandom(...Buffer.from(path));
  if (status !== 200) return 400 + random.nextBelow(4_000);
  if (path.endsWith('.txt')) return 300 + random.nextBelow(1_000);
  return path.startsWith('/search?') ? 70_000 + random.nextBelow(60_000) : 12_000 + random.nextBelow(50_000);
}
