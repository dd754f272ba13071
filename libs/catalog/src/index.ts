export * from './api.js';
export { peoplesBrowsers } from './peoples-browsers.js';
export { readAddressPaths, valuesAt, type AddressPath } from './address-paths.js';
export { checkAgent, checkAgents, type AgentsCheck, type AgentsCheckOptions } from './agents-file.js';
export { assistantFaults } from './assistant-faults.js';
export { finds, foundBy, pairSamples, plainSample, type PairedSamples } from './agents-file-samples.js';
export { BUNDLED_PARTS, bundledCatalog, DATA_CENTER_LISTS } from './bundled-catalog.js';
export {
  agentId,
  assistantId,
  catalogOf,
  type Agent,
  type AgentRecord,
  type Catalog,
  type CatalogParts,
  type DataCenterList,
  type PinnedDirectory,
  type ProxyNetwork,
} from './catalog.js';
export { compileCatalog, type CompiledCatalog } from './compiled-catalog.js';
export { CurrentCatalog } from './current-catalog.js';
export { CatalogClientModule, RulesClientModule, type ServiceClientOptions } from './client.modules.js';
export { catalogClientSettings, rulesClientSettings } from './client-settings.js';
export { FollowedCatalogModule } from './followed-catalog.module.js';
export { CATALOG_VERSION, RULES_SERVICE_OPERATIONS } from './rules/http-rules-api.js';
export { RulesApi, type ProjectRulesRequest, type RenderedRules } from './rules/rules-api.js';
export { readSnapshot, snapshotRevision, writeSnapshot, type CatalogSnapshot } from './snapshot.js';
export { isSignedAgents, openSignedAgents, publicKeyFault, signAgents, type SignedAgents } from './signed-agents.js';
export { TEST_AGENT, TEST_AGENT_ID, testAgentOrigin } from './test-agent.js';
export {
  CATALOG_SERVICE_OPERATIONS,
  explainAlone,
  identifyAlone,
  identifyTogether,
  INTERNAL_AGENT_OPERATIONS,
  INTERNAL_ASSISTANT_OPERATIONS,
  INTERNAL_FEED_OPERATIONS,
} from './internal-operations.js';
