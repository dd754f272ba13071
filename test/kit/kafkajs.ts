import kafkajs from 'kafkajs';
import { guardIdleTimer } from '../../libs/bus/src/kafka/patches/idle-timer.js';

// Same patch as in the services. Without it, idle connections poll, and Node.js prints warnings into the test results.
guardIdleTimer();

export const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } =
  kafkajs;
