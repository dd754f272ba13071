import { LookupCache, LookupUnavailableError } from './lookup-cache.js';

const caches: LookupCache<string>[] = [];
const createCache = (load: (keys: string[]) => Promise<Map<string, string>>, timeoutMs = 50): LookupCache<string> => {
  const cache = new LookupCache({ load, timeoutMs, refreshIntervalMs: 1_000_000 });
  caches.push(cache);
  return cache;
};

afterEach(() => {
  for (const cache of caches.splice(0)) cache.close();
});

describe('LookupCache', () => {
  it('loads a key once for concurrent callers, and loads queued keys in one batch', async () => {
    const loadedKeys: string[][] = [];
    const cache = createCache(async (keys) => {
      loadedKeys.push(keys);
      return new Map(keys.map((key) => [key, key.toUpperCase()]));
    });
    expect(await Promise.all(['a', 'b', 'a', 'c'].map((key) => cache.get(key)))).toEqual(['A', 'B', 'A', 'C']);
    expect(loadedKeys).toEqual([['a'], ['b', 'c']]);
    expect(cache.getCached('b')).toBe('B');
  });

  it('removes keys that the source no longer has', async () => {
    const source = new Map([['a', '1']]);
    const cache = createCache(async (keys) => new Map([...source].filter(([key]) => keys.includes(key))));
    expect(await cache.get('a')).toBe('1');
    source.delete('a');
    await cache.refresh();
    expect(await cache.get('a')).toBeUndefined();
  });

  it('returns cached values while the source is down and rejects unknown keys', async () => {
    let isDown = false;
    const cache = createCache(async (keys) => {
      if (isDown) throw new Error('source unavailable');
      return new Map(keys.map((key) => [key, key]));
    });
    await cache.get('a');
    isDown = true;
    await cache.refresh();
    expect(await cache.get('a')).toBe('a');
    await expect(cache.get('b')).rejects.toThrow(LookupUnavailableError);
  });

  it('bypasses the cache for a fresh value but falls back to it while the source is down', async () => {
    let value: string | null = '1';
    const cache = createCache(async (keys) => {
      if (value === null) throw new Error('source unavailable');
      return new Map(keys.map((key) => [key, value!]));
    });
    await cache.get('a');
    value = '2';
    expect([await cache.get('a'), await cache.getFresh('a'), await cache.get('a')]).toEqual(['1', '2', '2']);
    value = null;
    expect(await cache.getFresh('a')).toBe('2');
    await expect(cache.getFresh('b')).rejects.toThrow(LookupUnavailableError);
  });

  it('shares one fresh load among concurrent callers', async () => {
    const loadedKeys: string[][] = [];
    const cache = createCache(async (keys) => {
      loadedKeys.push(keys);
      const loadedValue = String(loadedKeys.length);
      await new Promise((resolve) => setImmediate(resolve));
      return new Map(keys.map((key) => [key, loadedValue]));
    });
    const pendingLoads = await Promise.all(['a', 'a', 'a', 'b', 'a'].map((key) => cache.getFresh(key)));
    expect(pendingLoads).toEqual(['1', '2', '2', '2', '2']);
    expect(loadedKeys).toEqual([['a'], ['a', 'b']]);
  });

  it('ignores the result from a query that was overtaken by a later one', async () => {
    const pendingLoads: PromiseWithResolvers<Map<string, string>>[] = [];
    const cache = createCache(() => {
      const loadedValue = Promise.withResolvers<Map<string, string>>();
      pendingLoads.push(loadedValue);
      return loadedValue.promise;
    }, 5_000);
    const first = cache.get('a');
    pendingLoads[0]!.resolve(new Map([['a', '1']]));
    await first;
    const refreshes = [cache.refresh(), cache.refresh()];
    pendingLoads[2]!.resolve(new Map());
    await refreshes[1];
    pendingLoads[1]!.resolve(new Map([['a', '1']]));
    await refreshes[0];
    expect(cache.getCached('a')).toBeUndefined();
  });

  it('times out when the source hangs', async () => {
    const cache = createCache(() => new Promise(() => undefined), 20);
    await expect(cache.get('a')).rejects.toThrow(LookupUnavailableError);
  });
});
