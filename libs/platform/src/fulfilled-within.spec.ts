import { isFulfilledWithin } from './fulfilled-within.js';

it('returns whether a promise is fulfilled in time, and rejects if the promise does', async () => {
  const never = new Promise<void>(() => undefined);
  await expect(isFulfilledWithin(Promise.resolve(), 60_000)).resolves.toBe(true);
  await expect(isFulfilledWithin(never, 1)).resolves.toBe(false);
  await expect(isFulfilledWithin(Promise.reject(new Error('away')), 60_000)).rejects.toThrow('away');
});
