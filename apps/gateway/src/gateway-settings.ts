export const GATEWAY_SETTINGS = Symbol('gateway settings');

export type { GatewaySettings } from './env.js';
