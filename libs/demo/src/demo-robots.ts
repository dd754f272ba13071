import { DEMO_PROJECT } from './demo-shop.js';
import { STORY } from './demo-story.js';

const HOUR_MS = 3_600_000;

const FOR_ALL = `Disallow: /cart
Disallow: /checkout
Disallow: /admin
`;
const SITEMAP = `Sitemap: ${DEMO_PROJECT.site_address}/sitemap.xml
`;

const FIRST = `User-agent: *
${FOR_ALL}
${SITEMAP}`;

const STRICTER = `# Ask us before you train on our texts.
User-agent: *
Content-Signal: search=yes, ai-train=no
${FOR_ALL}
${STORY.disallowed.tokens.map((token) => `User-agent: ${token}\n`).join('')}Disallow: /

License: ${DEMO_PROJECT.site_address}/license.xml
${SITEMAP}`;

/** Version of the robots.txt. `from` is when it was first served, in milliseconds since the epoch. */
export interface DemoRobots {
  from: number;
  text: string;
}

/**
 * Returns the versions of the shop's robots.txt, oldest first.
 *
 * @param start Time of the first visits.
 * @param end End of the story.
 */
export const demoRobots = (start: number, end: number): DemoRobots[] => [
  { from: Math.min(start, end - (STORY.disallowed.since + 1) * HOUR_MS), text: FIRST },
  { from: end - STORY.disallowed.since * HOUR_MS, text: STRICTER },
];
