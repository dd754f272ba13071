export * from './bus.js';
export * from './bus-server.js';
export * from './dead-letter.js';
export * from './in-process-bus.js';
export * from './bus.module.js';
export * from './kafka/kafka-bus.js';
export * from './kafka/kafka-options.js';
export * from './kafka/topics.js';
