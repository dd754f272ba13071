export { parseAddress, type Address } from './address.js';
export { AutomationJudge, type AutomationJudgment } from './automation/automation.js';
export { NO_USER_AGENT, userAgentGroup, userAgentGroupNumber } from './automation/user-agent-group.js';
export { userAgentSigns } from './automation/user-agent-signs.js';
export { cidr, covers, mergeBlocks, parseCidr, type AddressBlock } from './address-block.js';
export { compileAddressIndex, type AddressIndex, type AddressMatch, type AddressRanges } from './address-index.js';
export { compileProxyRanges, type ProxyRanges } from './address-ranges.js';
export { INTERNAL_RANGES, isPublicAddress } from './special-purpose-addresses.js';
export type { AgentDefinition, AgentVerification } from './agent.js';
export { AgentMatcher, rankOf, type AgentMatch } from './agent.matcher.js';
export { clientAddress, type ClientAddress } from './client-address.js';
export { detectedPath, type DetectedPath } from './detected-path.js';
export { normalizeHeaders, type HeaderMap } from './headers.js';
export {
  comparableName,
  CREDENTIAL_HEADERS,
  isCardNumber,
  isCredentialName,
  isCredentialParameter,
} from './credential-names.js';
export { REDACTED, withoutCredentials, withoutCredentialValues } from './credential-text.js';
export { FORWARDING_HEADERS, isForwardingHeader } from './forwarding-headers.js';
export { isHostName } from './host-name.js';
export { identify, type Identification, type IdentificationContext, type KnownAgents } from './identification.js';
export { NamePositions } from './name-positions.js';
export { needsOf } from './pattern-literals.js';
export { parsePattern, type PatternNode } from './pattern.js';
export { patternFault } from './pattern-safety.js';
export { isStatedPath, projectProxiesFaults, type ProjectProxies, type SettingFault } from './project-proxies.js';
export { compileProxyNetworks, type ProxyNetwork, type ProxyNetworks } from './proxy-networks.js';
export type { EarlierEvidence } from './earlier-evidence.js';
export * from './evidence-sources.js';
export type { ObservedRequest } from './observed-request.js';
export * from './verification.js';
export * from './vocabulary.js';
export { authorityStanding } from './web-bot-auth/expected-authority.js';
export { directoryUrl, listedDirectoryUrl } from './web-bot-auth/directory-url.js';
export type { KeySet, SignatureAlgorithm, VerificationKey } from './web-bot-auth/key-set.js';
export { compileAddressOrigins, type AddressOrigin, type AddressOrigins } from './address-origin.js';
export { compileAddressEvidence, type AddressEvidence, type PublishedList } from './address-evidence.js';
export type { CheckTimes } from './check-times.js';
export { MAX_HOST_NAMES, reverseDns } from './reverse-dns.method.js';
export { readKeySet } from './web-bot-auth/key-set.js';
export type { WebBotAuthContext } from './web-bot-auth/signature-verifier.js';
export { signedDirectory, type SignedDirectory } from './web-bot-auth/signed-directory.js';
export { webBotAuthSignature, type RequestSignature, type RequestToSign } from './web-bot-auth/signed-request.js';
export { connectionOrigin, type ConnectionOrigin, type TrustedProxies } from './proxy-chain.js';
export { thumbprint, type Jwk } from './web-bot-auth/thumbprint.js';
export { webBotAuth, type WebBotAuthVerdict } from './web-bot-auth/web-bot-auth.js';
