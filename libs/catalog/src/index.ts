export * from './api.js';
export { getBrowserUserAgents } from './browser-user-agents.js';
export { parseAddressPaths, evaluateAddressPath, type AddressPath } from './address-paths.js';
export { checkAgent, checkAgents, type AgentsCheck, type AgentsCheckOptions } from './agents-file.js';
export { findAssistantFaults } from './assistant-faults.js';
export { matchesPattern, findMatch, pairSamples, getPlainSample, type PairedSamples } from './agents-file-samples.js';
export { BUNDLED_PARTS, getBundledCatalog, DATA_CENTER_LISTS } from './bundled-catalog.js';
export {
  agentId,
  assistantId,
  createCatalog,
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
export { isDataCenterAddress } from './data-center-address.js';
export { CatalogClientModule, RulesClientModule, type ServiceClientOptions } from './client.modules.js';
export { catalogClientSettings, rulesClientSettings } from './client-settings.js';
export { PublishedCatalogModule } from './published-catalog.module.js';
export { CATALOG_VERSION_HEADER, RULES_SERVICE_OPERATIONS } from './rules/http-rules-api.js';
export {
  RulesApi,
  type AddressListRequest,
  type PolicyLimitsRequest,
  type ProjectRulesRequest,
  type RenderedRules,
} from './rules/rules-api.js';
export { readSnapshot, readSnapshotRevision, writeSnapshot, type CatalogSnapshot } from './snapshot.js';
export {
  isSignedAgents,
  verifySignedAgents,
  findPublicKeyFault,
  signAgents,
  type SignedAgents,
} from './signed-agents.js';
export { TEST_AGENT, TEST_AGENT_ID, getTestAgentOrigin } from './test-agent.js';
export {
  CATALOG_SERVICE_OPERATIONS,
  explainOperation,
  identifyOperation,
  identifyBatchOperation,
  INTERNAL_AGENT_OPERATIONS,
  INTERNAL_ASSISTANT_OPERATIONS,
  INTERNAL_ADDRESS_LIST_OPERATIONS,
  INTERNAL_FEED_OPERATIONS,
  readSnapshotCatalogOperation,
} from './internal-operations.js';
export { createSnapshotCatalog } from './snapshot-catalog.js';
