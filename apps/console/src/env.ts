import { kafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { isPretty, readEnvironment, secret, serviceSettings, str } from '#libs/platform';

const specification = {
  ...serviceSettings(3002),
  ...requiredKafkaSettings,
  DATABASE_URL: str({ desc: 'PostgreSQL, 15 or later' }),
  SECRET_KEY: secret(43)({ desc: '32 bytes, as hex or base64, that encrypt access tokens at rest' }),
};

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return { ...settings, pretty: isPretty(settings.LOG_FORMAT), kafka: kafkaOptions(settings)! };
}
