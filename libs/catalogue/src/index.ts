export { checkAgent, checkAgents, type AgentsCheck, type AgentsCheckOptions } from './agents-file.js';
export { pairSamples, plainSample, type PairedSamples } from './agents-file-samples.js';
export { bundledCatalogue } from './bundled-catalogue.js';
export { agentId, catalogueOf, type Agent, type AgentRecord, type Catalogue, type ProxyNetwork } from './catalogue.js';
export { compileCatalogue, type CompiledCatalogue } from './compiled-catalogue.js';
