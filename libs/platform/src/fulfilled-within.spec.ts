import { isFulfilledWithin } from './fulfilled-within.js';

it('isFulfilledWithin reports whether a promise was fulfilled in time and passes on rejections', async () => {
  const never = new Promise<void>(() => undefined);
  await expect(isFulfilledWithin(Promise.resolve(), 60_000)).resolves.toBe(true);
  await expect(isFulfilledWithin(never, 1)).resolves.toBe(false);
  await expect(isFulfilledWithin(Promise.reject(new Error('failed')), 60_000)).rejects.toThrow('failed');
});
