export * from './pub-sub.js';
export * from './rate-limiter.js';
export * from './cache.module.js';
export * from './lookup-cache.js';
