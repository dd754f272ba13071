import { kafkaOptions, kafkaSettings, type KafkaOptions } from '#libs/bus';
import { readEnvironment } from '#libs/platform';

/**
 * Returns how to connect to Kafka, or null if no brokers are configured.
 *
 * @throws ConfigurationError listing every invalid setting.
 */
export const readKafka = (source?: NodeJS.ProcessEnv): KafkaOptions | null =>
  kafkaOptions(readEnvironment(kafkaSettings, source));
