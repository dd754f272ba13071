export { SAMPLE_PATH } from './sample-lines.js';
export type { DrainSender, SampleRequest } from './sender.js';
export { DRAIN_SENDERS, DRAIN_SOURCES, getDrainSender, type DrainSource } from './senders.js';
