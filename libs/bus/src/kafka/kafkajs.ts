// kafkajs is CommonJS, and Node finds only some of its names.
import kafkajs from 'kafkajs';

export const { ConfigResourceTypes, Kafka, logLevel, Partitioners } = kafkajs;
