import { kafkaOptions, requiredKafkaSettings } from '#libs/bus';
import { isPretty, readEnvironment, serviceSettings, str } from '#libs/platform';

const specification = {
  ...serviceSettings(3003),
  ...requiredKafkaSettings,
  DATABASE_URL: str({ desc: 'PostgreSQL, 15 or later' }),
};

/** @throws ConfigurationError with every fault. */
export function readSettings(source?: NodeJS.ProcessEnv) {
  const settings = readEnvironment(specification, source);
  return { ...settings, pretty: isPretty(settings.LOG_FORMAT), kafka: kafkaOptions(settings)! };
}
