export { demoRobotsVersions } from './demo-robots.js';
export { DEMO_PROJECT } from './demo-shop.js';
export { DemoVisits } from './demo-visits.js';
