import { readRealtime } from './search.js';

it('has no address, and keeps what the page of a range is to read', () => {
  expect(readRealtime({ address: '192.0.2.0/24', status: 404, from: '2026-11-01' })).toEqual({ status: '404' });
  const old = { from: '2026-11-01', to: '2026-11-02', address: '192.0.2.0/24', zone: 'browser' };
  expect(readRealtime(old)).toEqual(old);
});
