export { DEMO_PROJECT } from './demo-shop.js';
export { DemoVisits, type DemoOptions } from './demo-visits.js';
