import { testEnforcement } from './enforcement.js';

testEnforcement(['nginx', 'caddy', 'haproxy'], { people: 200 });
