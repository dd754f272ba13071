import { readEnvironment } from '#libs/platform';
import { toRedisAddress } from './cache.module.js';
import { redisSettings } from './redis-connection.js';

describe('redisSettings', () => {
  const read = (source: NodeJS.ProcessEnv) => toRedisAddress(readEnvironment(redisSettings, source));

  it("returns the Redis URL, or null if it isn't set", () => {
    expect(read({})).toBeNull();
    expect(read({ REDIS_URL: 'rediss://cache:6380/2' })).toEqual({ url: 'rediss://cache:6380/2' });
  });

  it('adds a separately supplied password to a URL, with or without a username', () => {
    const readUrlWithPassword = (url: string) => read({ REDIS_URL: url, REDIS_PASSWORD: 'a:b@c%2F' });
    expect(readUrlWithPassword('redis://gateway@cache:6379')).toEqual({
      url: 'redis://gateway:a%3Ab%40c%252F@cache:6379',
    });
    expect(readUrlWithPassword('redis://cache:6379/2')).toEqual({ url: 'redis://:a%3Ab%40c%252F@cache:6379/2' });
  });

  it.each(['cache:6379', 'http://cache', 'redis://', 'cache'])(
    'rejects %s without revealing it in the error',
    (url) => {
      expect(() => read({ REDIS_URL: url })).toThrow(
        /^The configuration is invalid:\n  REDIS_URL: must be a URL like redis:\/\/host:port or rediss:\/\/host:port$/,
      );
    },
  );
});
