import { InMemoryRateLimiter, type BucketKind } from './rate-limiter.js';

const BUCKET_KIND: BucketKind = { name: 'a kind', failsOpen: false };
const OTHER_BUCKET_KIND: BucketKind = { name: 'another kind', failsOpen: false };

describe('InMemoryRateLimiter', () => {
  it('allows a burst and then the configured rate, but only after any debt is repaid', async () => {
    let now = 1_000_000;
    const limiter = new InMemoryRateLimiter(() => now);
    const limit = { perSecond: 10, burst: 20 };
    expect(await limiter.take(BUCKET_KIND, 'a', 15, limit)).toMatchObject({ allowed: true, remaining: 5 });
    expect(await limiter.take(BUCKET_KIND, 'a', 25, limit)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.take(BUCKET_KIND, 'a', 0, limit)).toMatchObject({ allowed: false, retryAfterSeconds: 3 });
    now += 2_000;
    expect(await limiter.take(BUCKET_KIND, 'a', 0, limit)).toMatchObject({ allowed: false });
    now += 200;
    expect(await limiter.take(BUCKET_KIND, 'a', 0, limit)).toMatchObject({ allowed: true, remaining: 2 });
    expect(await limiter.take(BUCKET_KIND, 'b', 0, limit)).toMatchObject({ allowed: true, remaining: 20 });
  });

  it("retains one kind's buckets during a flood of another kind", async () => {
    const limiter = new InMemoryRateLimiter(() => 0);
    const limit = { perSecond: 0.001, burst: 1 };
    expect((await limiter.take(BUCKET_KIND, 'account', 1, limit)).allowed).toBe(true);
    for (let network = 0; network < 20_000; network += 1)
      await limiter.take(OTHER_BUCKET_KIND, `network ${network}`, 1, limit);
    expect((await limiter.take(BUCKET_KIND, 'account', 1, limit)).allowed).toBe(false);
    expect((await limiter.take(OTHER_BUCKET_KIND, 'account', 1, limit)).allowed).toBe(true);
  });

  it('allows exactly the limit per window, which starts with its first request', async () => {
    let now = 1_000_000;
    const limiter = new InMemoryRateLimiter(() => now);
    const take = (name: string) => limiter.takeFromWindow('a kind', name, 2, 60);
    expect([await take('a'), await take('a'), await take('a'), await take('b')]).toEqual([0, 0, 60, 0]);
    now += 59_500;
    expect(await take('a')).toBe(1);
    now += 500;
    expect([await take('a'), await take('a'), await take('a')]).toEqual([0, 0, 60]);
    expect(await limiter.takeFromWindow('another kind', 'a', 2, 60)).toBe(0);
  });
});
