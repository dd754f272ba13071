import { ARCHIVED_ARTICLES } from './demo-payments.js';
import { ARTICLES, DEMO_PROJECT, OLD_PAGES, PAGES, PRODUCTS } from './demo-shop.js';
import { STORY } from './demo-story.js';

const HOUR_MS = 3_600_000;

/** Pages that no other page links to, so no agent has found them. */
const GUIDES = ['assembly', 'measuring', 'wood-types', 'fabrics', 'lighting', 'repairs'].map(
  (name) => `/guides/${name}`,
);
/** The sitemap's generator doesn't know this page. */
const FORGOTTEN_PAGE = '/sale';
const INITIAL_PAGES = [
  ...PAGES.filter((page) => page !== FORGOTTEN_PAGE),
  ...PRODUCTS,
  ...ARTICLES.map((name) => `/blog/${name}`),
  ...ARCHIVED_ARTICLES.map((name) => `/archive/${name}`),
  ...OLD_PAGES,
];

/** Version of a sitemap. `from` is the time it was recorded, in milliseconds since the epoch. */
interface DemoSitemapVersion {
  from: number;
  text: string;
}

const toSitemap = (pages: readonly string[]): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map((page) => `  <url><loc>${DEMO_PROJECT.site_address}${page}</loc></url>`).join('\n')}
</urlset>
`;

/**
 * Returns the versions of the shop's sitemap, oldest first.
 *
 * @param start Time of the first visits, in milliseconds since the epoch.
 * @param end End of the story, in milliseconds since the epoch.
 */
export const demoSitemapVersions = (start: number, end: number): DemoSitemapVersion[] => {
  const extended = end - STORY.guidesSince * HOUR_MS;
  return [
    { from: Math.min(start, extended - HOUR_MS), text: toSitemap(INITIAL_PAGES) },
    { from: extended, text: toSitemap([...INITIAL_PAGES, ...GUIDES]) },
  ];
};
