export { RulesApi, type RenderedRules } from './api.js';
export { RULES_SERVICE_OPERATIONS } from './http-api.js';
export { RulesClientModule, type RulesClientOptions } from './rules-client.module.js';
export { rulesClientSettings } from './rules-settings.js';
