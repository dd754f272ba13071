import { toRedisAddress, redisSettings } from '#libs/cache';
import { internalSettings, isPretty, readEnvironment, serviceSettings } from '#libs/platform';

const specification = { ...serviceSettings(3006), ...redisSettings, ...internalSettings };

/** @throws {ConfigurationError} listing all missing and invalid settings. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return { ...settings, pretty: isPretty(settings.LOG_FORMAT), redis: toRedisAddress(settings) };
}
