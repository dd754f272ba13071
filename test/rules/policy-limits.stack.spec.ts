import { LIMIT, testLimits } from './limited-server.js';

describe('nginx', () => {
  testLimits('nginx', { atOnce: 6, waits: ['1'] });
});

describe('HAProxy', () => {
  testLimits('haproxy', { atOnce: LIMIT, waits: ['60'] });
});
