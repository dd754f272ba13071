import kafkajs from 'kafkajs';
import { preventIdlePolling } from '../../libs/bus/src/kafka/patches/idle-timer.js';

// Apply the same patch as the services. Without it, idle connections poll, which makes Node.js print warnings into the
// test output.
preventIdlePolling();

export const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, Kafka, logLevel, ResourcePatternTypes } =
  kafkajs;
