import { toKafkaOptions, kafkaSettings, type KafkaOptions } from '#libs/bus';
import { readEnvironment } from '#libs/platform';

/**
 * Reads the Kafka connection settings. Returns null if no brokers are configured.
 *
 * @throws {ConfigurationError} listing every invalid setting.
 */
export const readKafka = (source?: NodeJS.ProcessEnv): KafkaOptions | null =>
  toKafkaOptions(readEnvironment(kafkaSettings, source));
