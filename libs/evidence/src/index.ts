export { fetchAddressList, type AddressListOutcome } from './address-list-fetcher.js';
export { type DnsServers } from './dns-servers.js';
export { isPublicAddress, PUBLIC_EGRESS, getUrlRejection, type EgressPolicy } from './egress-policy.js';
export { evidenceOptions, evidenceSettings } from './evidence-settings.js';
export { EvidenceModule, type EvidenceOptions } from './evidence.module.js';
export {
  getErrorCode,
  createGuardedFetch,
  GuardedFetchError,
  isTlsFault,
  getSafeReason,
  type FetchFault,
  type GuardedFetch,
} from './guarded-fetch.js';
export {
  ALLOW_TEST_KEYS,
  EVIDENCE_SOURCES,
  Identifier,
  type IdentificationRequest,
  type IdentifiedRequest,
} from './identifier.js';
export { normalizeListUrl, readIpListsFile } from './ip-lists-file.js';
export { readKeyDirectoriesFile } from './key-directories-file.js';
export { fetchRobotsTxt, type RobotsResult } from './robots-fetcher.js';
export { fetchLicense, fetchSitemap, type SitemapFault } from './sitemap-fetcher.js';
