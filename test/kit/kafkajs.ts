import kafkajs from 'kafkajs';
import { guardIdleTimer } from '../../libs/bus/src/kafka/patches/idle-timer.js';

// As in the product: otherwise each connection spins while it idles, and Node.js warns of it among the tests' results.
guardIdleTimer();

/** For tests that talk to Kafka themselves. */
export const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } =
  kafkajs;
