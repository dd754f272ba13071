import { kafkaOptions, kafkaSettings, type KafkaOptions } from '#libs/bus';
import { readEnvironment } from '#libs/platform';

/** Returns how to reach Kafka; null where the environment names no brokers. @throws ConfigurationError with every fault. */
export const readKafka = (source?: NodeJS.ProcessEnv): KafkaOptions | null =>
  kafkaOptions(readEnvironment(kafkaSettings, source));
