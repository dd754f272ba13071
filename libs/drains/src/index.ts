export { SAMPLE_PATH } from './sample-lines.js';
export type { DrainSender, SampleRequest } from './sender.js';
export { DRAIN_SENDERS, DRAIN_SOURCES, drainSender, type DrainSource } from './senders.js';
