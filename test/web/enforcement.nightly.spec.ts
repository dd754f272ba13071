import { testEnforcement } from './enforcement.js';

testEnforcement(['nginx', 'caddy', 'haproxy', 'traefik', 'envoy'], { people: 20_000 });
