import { DEMO_PROJECT } from './demo-shop.js';
import { STORY } from './demo-story.js';

const HOUR_MS = 3_600_000;

const COMMON_RULES = `Disallow: /cart
Disallow: /checkout
Disallow: /admin
`;
const SITEMAP_LINE = `Sitemap: ${DEMO_PROJECT.site_address}/sitemap.xml
`;

const INITIAL_TEXT = `User-agent: *
${COMMON_RULES}
${SITEMAP_LINE}`;

/** The Content-Usage line contradicts the Content-Signal line, as an example. */
const STRICTER_TEXT = `# Contact us before training on our content.
User-agent: *
Content-Signal: search=yes, ai-train=no
${COMMON_RULES}Content-Usage: search=y, train-ai=y

${STORY.disallowed.tokens.map((token) => `User-agent: ${token}\n`).join('')}Disallow: /

License: ${DEMO_PROJECT.site_address}/license.xml
${SITEMAP_LINE}`;

/** Version of a robots.txt file. `from` is the time it was first served, in milliseconds since the epoch. */
export interface DemoRobotsVersion {
  from: number;
  text: string;
}

/**
 * Returns the versions of the shop's robots.txt, oldest first.
 *
 * @param start Time of the first visits, in milliseconds since the epoch.
 * @param end End of the story, in milliseconds since the epoch.
 */
export const demoRobotsVersions = (start: number, end: number): DemoRobotsVersion[] => [
  { from: Math.min(start, end - (STORY.disallowed.since + 1) * HOUR_MS), text: INITIAL_TEXT },
  { from: end - STORY.disallowed.since * HOUR_MS, text: STRICTER_TEXT },
];
