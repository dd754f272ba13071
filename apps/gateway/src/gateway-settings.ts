export const GATEWAY_SETTINGS = Symbol('gateway settings');
/** Injection token for the `SecretBox` of the instance, or null if this process doesn't have its key. */
export const GATEWAY_SECRETS = Symbol('secret box');

export type { GatewaySettings } from './env.js';
