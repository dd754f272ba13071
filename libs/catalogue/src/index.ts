export * from './api.js';
export { checkAgent, checkAgents, type AgentsCheck, type AgentsCheckOptions } from './agents-file.js';
export { pairSamples, type PairedSamples } from './agents-file-samples.js';
export { bundledCatalogue } from './bundled-catalogue.js';
export {
  agentId,
  catalogueOf,
  type Agent,
  type AgentRecord,
  type Catalogue,
  type CatalogueParts,
  type PinnedDirectory,
  type ProxyNetwork,
} from './catalogue.js';
export { compileCatalogue, type CompiledCatalogue } from './compiled-catalogue.js';
export { CurrentCatalogue } from './current-catalogue.js';
export { CatalogClientModule, type CatalogClientOptions } from './catalog-client.module.js';
export { catalogClientSettings } from './catalog-settings.js';
export { FollowedCatalogueModule } from './followed-catalogue.module.js';
export { readSnapshot, snapshotRevision, writeSnapshot, type CatalogueSnapshot } from './snapshot.js';
export { TEST_AGENT, testAgentOrigin } from './test-agent.js';
export { type ExplanationQuestion, type IdentificationQuestion } from './http-api.js';
