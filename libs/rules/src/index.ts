export { RulesApi, type RenderedRules } from './api.js';
