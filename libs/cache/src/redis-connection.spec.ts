import { readEnvironment } from '#libs/platform';
import { redisAddress } from './cache.module.js';
import { redisSettings } from './redis-connection.js';

describe('redisSettings', () => {
  const read = (source: NodeJS.ProcessEnv) => redisAddress(readEnvironment(redisSettings, source));

  it('are optional', () => {
    expect(read({})).toBeNull();
    expect(read({ REDIS_URL: 'rediss://cache:6380/2', REDIS_PASSWORD: 'p' })).toEqual({
      url: 'rediss://cache:6380/2',
      password: 'p',
    });
  });

  it.each(['cache:6379', 'http://cache', 'redis://', 'cache'])('refuse %s, without showing it', (url) => {
    expect(() => read({ REDIS_URL: url })).toThrow(
      /^The configuration has faults:\n  REDIS_URL: must be an address like redis:\/\/host:port or rediss:\/\/host:port$/,
    );
  });
});
