export { countDecisions, type DemoDecisionCount } from './demo-decisions.js';
export { demoPolicyVersions } from './demo-policy.js';
export { demoRobotsVersions } from './demo-robots.js';
export { demoSitemapVersions } from './demo-sitemap.js';
export { DEMO_PROJECT } from './demo-shop.js';
export { DemoVisits } from './demo-visits.js';
