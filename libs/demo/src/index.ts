export { demoRobots, type DemoRobots } from './demo-robots.js';
export { DEMO_PROJECT } from './demo-shop.js';
export { DemoVisits, type DemoOptions } from './demo-visits.js';
