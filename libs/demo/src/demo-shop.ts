import type { SeededRandom } from './seeded-random.js';

/** Demo project. Its domain is reserved (RFC 2606). */
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
const PROBED = ['/wp-login.php', '/.env', '/admin', '/.git/config', '/phpmyadmin/', '/backup.zip'];

export interface Request {
  path: string;
  status: number;
  /** Milliseconds. */
  duration: number;
  method?: string;
}

export const REQUESTS = {
  crawl: (random: SeededRandom): Request => {
    if (random.chance(0.04)) return { ...random.pickEarly(FILES), duration: 2 };
    if (random.chance(0.02)) return { path: '/sitemap.xml', status: 200, duration: 15 };
    const path = random.chance(0.15)
      ? `/blog/${random.pickEarly(ARTICLES)}`
      : random.pickEarly([...PAGES, ...PRODUCTS]);
    if (random.chance(0.03)) return { path: `${path}-old`, status: 404, duration: 8 };
    if (random.chance(0.05)) return { path: `${path}?page=${2 + random.below(4)}`, status: 200, duration: 40 };
    return { path, status: random.chance(0.12) ? 304 : 200, duration: 30 + random.below(120) };
  },
  look: (random: SeededRandom): Request => ({
    path: random.chance(0.7) ? random.pickEarly(PRODUCTS) : `/blog/${random.pickEarly(ARTICLES)}`,
    status: random.chance(0.02) ? 500 : 200,
    duration: 40 + random.below(160),
  }),
  shop: (random: SeededRandom): Request => {
    if (random.chance(0.06)) return { path: '/cart', status: 302, duration: 90, method: 'POST' };
    if (random.chance(0.02)) return { path: '/checkout', status: 200, duration: 180, method: 'POST' };
    return { path: random.pickEarly([...PAGES, ...PRODUCTS]), status: 200, duration: 30 + random.below(150) };
  },
  probe: (random: SeededRandom): Request => ({
    path: random.pick(PROBED),
    status: random.chance(0.8) ? 404 : 403,
    duration: 4,
  }),
  watch: (): Request => ({ path: '/', status: 200, duration: 25, method: 'HEAD' }),
  share: (random: SeededRandom): Request => ({ path: random.pickEarly(PRODUCTS), status: 200, duration: 35 }),
} as const;

export type Way = keyof typeof REQUESTS;
