import { Health } from './health.js';

it('is ready but degraded while only a non-critical dependency fails', async () => {
  const health = new Health();
  health.register('database', () => null);
  health.register('redis', () => 'not connected', { critical: false });
  expect(await health.report()).toEqual({
    isReady: true,
    status: 'degraded',
    faults: { database: null, redis: 'not connected' },
  });
});

it('is not ready if the check of a critical dependency throws', async () => {
  const health = new Health();
  health.register('database', () => Promise.reject(new Error('connection refused')));
  expect(await health.report()).toMatchObject({ isReady: false, faults: { database: 'connection refused' } });
});

it('is not ready while it shuts down', async () => {
  const health = new Health();
  expect(await health.report()).toEqual({ isReady: true, status: 'ok', faults: {} });
  health.drain();
  expect(await health.report()).toEqual({
    isReady: false,
    status: 'unavailable',
    faults: { shutdown: 'shutting down' },
  });
});
