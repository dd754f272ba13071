export { fetchAddressList, type AddressListOutcome } from './address-list-fetcher.js';
export { type DnsServers } from './dns-servers.js';
export { isPublicAddress, PUBLIC_EGRESS, urlRefusal, type EgressPolicy } from './egress-policy.js';
export { evidenceOptions, evidenceSettings } from './evidence-settings.js';
export { EvidenceModule, type EvidenceOptions } from './evidence.module.js';
export {
  codeOf,
  fetchUnder,
  GuardedFetchError,
  isTlsFault,
  unreachedReason,
  type FetchFault,
  type GuardedFetch,
} from './guarded-fetch.js';
export { Identifier, type IdentificationRequest, type Identified } from './identifier.js';
export { listUrl, readIpListsFile } from './ip-lists-file.js';
export { readKeyDirectoriesFile } from './key-directories-file.js';
export { fetchRobotsTxt, type RobotsAnswer } from './robots-fetcher.js';
