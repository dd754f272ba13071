export { parseAddress, type Address } from './address.js';
export { AutomationJudge, type AutomationJudgment } from './automation/automation-judge.js';
export { NO_USER_AGENT, toUserAgentGroup } from './automation/user-agent-group.js';
export { hashUserAgentGroup } from './automation/user-agent-group-hash.js';
export { findUserAgentSigns } from './automation/user-agent-signs.js';
export { compareBlocks, formatCidr, covers, mergeBlocks, parseCidr, type AddressBlock } from './address-block.js';
export { compileAddressIndex, type AddressIndex, type AddressMatch, type AddressRanges } from './address-index.js';
export { compileProxyRanges, type ProxyRanges } from './proxy-ranges.js';
export { INTERNAL_RANGES, isPublicAddress } from './special-purpose-addresses.js';
export type { AgentDefinition, AgentVerification } from './agent.js';
export { AgentMatcher, getFixedRank, type AgentMatch } from './agent.matcher.js';
export { resolveClientAddress, type ClientAddress } from './client-address.js';
export { isProbedPath } from './probed-paths.js';
export { detectPath, type DetectedPath } from './path-detection.js';
export { normalizeHeaders, type HeaderMap } from './headers.js';
export {
  toComparableName,
  CREDENTIAL_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
} from './credential-names.js';
export { REDACTED, redactCredentials, redactCredentialValues } from './credential-text.js';
export { FORWARDING_HEADERS, isForwardingHeader } from './forwarding-headers.js';
export { isHostName } from './host-name.js';
export {
  compileAgents,
  createIdentificationCatalog,
  type CompiledAgents,
  type IdentificationData,
} from './identification-catalog.js';
export {
  identify,
  type Identification,
  type IdentificationContext,
  type IdentificationCatalog,
} from './identification.js';
export { toPublicIdentification, type PublicIdentification } from './public-identification.js';
export { NamePositions } from './name-positions.js';
export { analyzePattern } from './pattern-literals.js';
export { parsePattern, type PatternNode } from './pattern.js';
export { findPatternFault } from './pattern-safety.js';
export {
  hasConfiguredPath,
  validateProjectProxies,
  type ProjectProxies,
  type SettingFault,
} from './project-proxies.js';
export { compileProxyNetworks, type ProxyNetwork, type ProxyNetworks } from './proxy-networks.js';
export type { EarlierEvidence } from './earlier-evidence.js';
export * from './evidence-sources.js';
export type { ObservedRequest } from './observed-request.js';
export * from './verification.js';
export * from './vocabulary.js';
export { classifyAuthority } from './web-bot-auth/expected-authority.js';
export { toDirectoryUrl, toListedDirectoryUrl } from './web-bot-auth/directory-url.js';
export { compileAddressOriginLookup, type AddressOrigin, type AddressOriginLookup } from './address-origin.js';
export { compileAddressEvidence, type AddressEvidence, type PublishedList } from './address-evidence.js';
export type { CheckTimes } from './check-times.js';
export { MAX_HOST_NAMES, checkReverseDns } from './reverse-dns.method.js';
export { parseKeySet } from './web-bot-auth/key-set.js';
export type { SignatureAlgorithm } from './web-bot-auth/signature-algorithm.js';
export type { KeySet, VerificationKey } from './web-bot-auth/verification-key.js';
export type { WebBotAuthContext } from './web-bot-auth/signature-verifier.js';
export { createSignedDirectory, type SignedDirectory } from './web-bot-auth/signed-directory.js';
export { signWebBotAuthRequest, type RequestSignature, type RequestToSign } from './web-bot-auth/signed-request.js';
export { findConnectionOrigin, type ConnectionOrigin, type TrustedProxies } from './proxy-chain.js';
export { computeThumbprint, type Jwk } from './web-bot-auth/thumbprint.js';
export { verifyWebBotAuth, type WebBotAuthVerdict } from './web-bot-auth/web-bot-auth.js';
