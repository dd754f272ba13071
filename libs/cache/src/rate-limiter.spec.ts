import { InMemoryRateLimiter } from './rate-limiter.js';

describe('InMemoryRateLimiter', () => {
  it('lets a burst through, then the rate, and has debts paid back first', async () => {
    let now = 1_000_000;
    const limiter = new InMemoryRateLimiter(() => now);
    const limit = { perSecond: 10, burst: 20 };
    expect(await limiter.take('a', 15, limit)).toMatchObject({ allowed: true, remaining: 5 });
    expect(await limiter.take('a', 25, limit)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.take('a', 0, limit)).toMatchObject({ allowed: false, retryAfter: 3 });
    now += 2_000;
    expect(await limiter.take('a', 0, limit)).toMatchObject({ allowed: false });
    now += 200;
    expect(await limiter.take('a', 0, limit)).toMatchObject({ allowed: true, remaining: 2 });
    expect(await limiter.take('b', 0, limit)).toMatchObject({ allowed: true, remaining: 20 });
  });
});
