import type { SeededRandom } from './seeded-random.js';

/** Demo project. Its top-level domain is reserved (RFC 2606). */
export const DEMO_PROJECT = {
  name: 'Demo shop',
  site_address: 'https://demo-shop.example',
  host_names: ['demo-shop.example'],
} as const;

const CATEGORIES = ['chairs', 'tables', 'lamps', 'shelves', 'rugs', 'plants'];
const PRODUCTS = CATEGORIES.flatMap((category) =>
  ['oslo', 'lisbon', 'kyoto', 'quito', 'bern', 'cork', 'lima', 'bath'].map((name) => `/${category}/${name}`),
);
const ARTICLES = ['choosing-a-chair', 'light-for-work', 'caring-for-oak', 'small-rooms', 'delivery-in-winter'];
const PAGES = ['/', ...CATEGORIES.map((category) => `/${category}`), '/sale', '/delivery', '/about'];
const FILES = [
  { path: '/robots.txt', status: 200 },
  { path: '/robots.txt', status: 200 },
  { path: '/robots.txt', status: 200 },
  { path: '/llms.txt', status: 200 },
  { path: '/.well-known/ucp', status: 404 },
];
const PROBED_PATHS = ['/wp-login.php', '/.env', '/admin', '/.git/config', '/phpmyadmin/', '/backup.zip'];

export interface ShopRequest {
  path: string;
  status: number;
  /** Response duration in milliseconds. */
  duration: number;
  method?: string;
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
  watch: (): ShopRequest => ({ path: '/', status: 200, duration: 25, method: 'HEAD' }),
  share: (random: SeededRandom): ShopRequest => ({ path: random.pickEarly(PRODUCTS), status: 200, duration: 35 }),
} as const;

export type RequestKind = keyof typeof REQUEST_GENERATORS;
