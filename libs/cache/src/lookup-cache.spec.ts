import { LookupCache, LookupUnavailableError } from './lookup-cache.js';

const caches: LookupCache<string>[] = [];
const cacheOf = (load: (keys: string[]) => Promise<Map<string, string>>, timeoutMs = 50): LookupCache<string> => {
  const cache = new LookupCache({ load, timeoutMs, refreshIntervalMs: 1_000_000 });
  caches.push(cache);
  return cache;
};

afterEach(() => {
  for (const cache of caches.splice(0)) cache.close();
});

describe('LookupCache', () => {
  it('loads a key once for concurrent callers, then all queued keys in one batch', async () => {
    const asked: string[][] = [];
    const cache = cacheOf(async (keys) => {
      asked.push(keys);
      return new Map(keys.map((key) => [key, key.toUpperCase()]));
    });
    expect(await Promise.all(['a', 'b', 'a', 'c'].map((key) => cache.get(key)))).toEqual(['A', 'B', 'A', 'C']);
    expect(asked).toEqual([['a'], ['b', 'c']]);
    expect(cache.getCached('b')).toBe('B');
  });

  it('removes keys that the source no longer has', async () => {
    const source = new Map([['a', '1']]);
    const cache = cacheOf(async (keys) => new Map([...source].filter(([key]) => keys.includes(key))));
    expect(await cache.get('a')).toBe('1');
    source.delete('a');
    await cache.refresh();
    expect(await cache.get('a')).toBeUndefined();
  });

  it('returns the last known value while the source is down, and rejects unknown keys', async () => {
    let away = false;
    const cache = cacheOf(async (keys) => {
      if (away) throw new Error('away');
      return new Map(keys.map((key) => [key, key]));
    });
    await cache.get('a');
    away = true;
    await cache.refresh();
    expect(await cache.get('a')).toBe('a');
    await expect(cache.get('b')).rejects.toThrow(LookupUnavailableError);
  });

  it('bypasses the cache for a fresh value, and falls back to it while the source is down', async () => {
    let value: string | null = '1';
    const cache = cacheOf(async (keys) => {
      if (value === null) throw new Error('away');
      return new Map(keys.map((key) => [key, value!]));
    });
    await cache.get('a');
    value = '2';
    expect([await cache.get('a'), await cache.getFresh('a'), await cache.get('a')]).toEqual(['1', '2', '2']);
    value = null;
    expect(await cache.getFresh('a')).toBe('2');
    await expect(cache.getFresh('b')).rejects.toThrow(LookupUnavailableError);
  });

  it('shares one fresh load among concurrent callers, started after they asked', async () => {
    const asked: string[][] = [];
    const cache = cacheOf(async (keys) => {
      asked.push(keys);
      const answer = String(asked.length);
      await new Promise((resolve) => setImmediate(resolve));
      return new Map(keys.map((key) => [key, answer]));
    });
    const answers = await Promise.all(['a', 'a', 'a', 'b', 'a'].map((key) => cache.getFresh(key)));
    expect(answers).toEqual(['1', '2', '2', '2', '2']);
    expect(asked).toEqual([['a'], ['a', 'b']]);
  });

  it('ignores the result of a query that a later one has overtaken', async () => {
    const answers: PromiseWithResolvers<Map<string, string>>[] = [];
    const cache = cacheOf(() => {
      const answer = Promise.withResolvers<Map<string, string>>();
      answers.push(answer);
      return answer.promise;
    }, 5_000);
    const first = cache.get('a');
    answers[0]!.resolve(new Map([['a', '1']]));
    await first;
    const refreshes = [cache.refresh(), cache.refresh()];
    answers[2]!.resolve(new Map());
    await refreshes[1];
    answers[1]!.resolve(new Map([['a', '1']]));
    await refreshes[0];
    expect(cache.getCached('a')).toBeUndefined();
  });

  it('times out when the source hangs', async () => {
    const cache = cacheOf(() => new Promise(() => undefined), 20);
    await expect(cache.get('a')).rejects.toThrow(LookupUnavailableError);
  });
});
