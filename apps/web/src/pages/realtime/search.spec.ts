import { readRealtime } from './search.js';

it('has no address', () => {
  expect(readRealtime({ address: '192.0.2.0/24', status: 404, from: '2026-11-01' })).toEqual({ status: '404' });
});
