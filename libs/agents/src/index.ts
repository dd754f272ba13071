export { parseAddress, type Address } from './address.js';
export {
  compileProxyRanges,
  parseCidr,
  type AddressBlock,
  type AddressRanges,
  type ProxyRanges,
} from './address-ranges.js';
export type { AgentDefinition, AgentVerification } from './agent.js';
export { AgentMatcher, MOST_USER_AGENT_CHARACTERS, type AgentMatch } from './agent.matcher.js';
export { clientAddress, type ClientAddress, type ClientAddressReason } from './client-address.js';
export { normalizeHeaders, type HeaderMap } from './headers.js';
export {
  identify,
  type Identification,
  type IdentificationContext,
  type IdentificationReason,
  type IdentificationResult,
} from './identification.js';
export { patternFault } from './pattern-safety.js';
export { projectProxiesFaults, type ProjectProxies, type SettingFault } from './project-proxies.js';
export * from './evidence-sources.js';
export type { ObservedRequest } from './observed-request.js';
export * from './verification.js';
export { directoryUrl, listedDirectoryUrl } from './web-bot-auth/directory-url.js';
export { readKeySet, type KeySet, type SignatureAlgorithm, type VerificationKey } from './web-bot-auth/key-set.js';
