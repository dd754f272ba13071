export { fetchAddressList, type AddressListOutcome, type AddressListRequest } from './address-list-fetcher.js';
export { readAddressList, type AddressList } from './address-list.js';
export { absurdity } from './address-list-absurdity.js';
export { isPublicAddress, PUBLIC_EGRESS, urlRefusal, type EgressPolicy } from './egress-policy.js';
export {
  fetchUnder,
  guardedFetch,
  GuardedFetchError,
  type Fetched,
  type FetchFault,
  type FetchRequest,
  type GuardedFetch,
} from './guarded-fetch.js';
export { listUrl, readIpListsFile } from './ip-lists-file.js';
export { CachedKeyDirectories, type KeyDirectoriesOptions } from './key-directories.js';
export { pinnedKeySets, readKeyDirectoriesFile } from './key-directories-file.js';
