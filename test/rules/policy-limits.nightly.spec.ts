import { ensureCaddyWithLimits } from '../stack/caddy.js';
import { LIMIT, testLimits } from './limited-server.js';

// Building Caddy takes minutes.
beforeAll(ensureCaddyWithLimits, 1_200_000);

describe('Caddy', () => {
  testLimits('caddy', { atOnce: LIMIT, waits: Array.from({ length: LIMIT }, (_, index) => String(index + 1)) });
});
