import { Health } from './health.js';

it('Health is ready but degraded while only a non-critical check fails', async () => {
  const health = new Health();
  health.register('database', () => null);
  health.register('redis', () => 'not connected', { critical: false });
  expect(await health.report()).toEqual({
    isReady: true,
    status: 'degraded',
    faults: { database: null, redis: 'not connected' },
  });
});

it("Health isn't ready if a critical check throws", async () => {
  const health = new Health();
  health.register('database', () => Promise.reject(new Error('connection refused')));
  expect(await health.report()).toMatchObject({ isReady: false, faults: { database: 'connection refused' } });
});

it("Health isn't ready during a shutdown", async () => {
  const health = new Health();
  expect(await health.report()).toEqual({ isReady: true, status: 'ok', faults: {} });
  health.startDraining();
  expect(await health.report()).toEqual({
    isReady: false,
    status: 'unavailable',
    faults: { shutdown: 'shutting down' },
  });
});
