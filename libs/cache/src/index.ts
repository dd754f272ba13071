export * from './cache.module.js';
export * from './key-value.js';
export * from './lookup-cache.js';
export * from './pub-sub.js';
export * from './rate-limiter.js';
export * from './redis-connection.js';
export * from './redis-pub-sub.js';
export * from './redis-rate-limiter.js';
