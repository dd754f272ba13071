export * from './index.js';
export { AgentTraffic } from './node-client.js';
