export * from './bus.js';
export * from './bus-server.js';
export * from './dead-letter.js';
export * from './in-process-bus.js';
export * from './bus.module.js';
