import type { EvidenceSources } from '#libs/agents';
import { CurrentCatalog } from '#libs/catalog';
import { Identifier } from '#libs/evidence';

/** Evidence sources that fail every lookup. */
export const UNAVAILABLE_SOURCES: EvidenceSources = {
  directories: { find: () => ({ fault: 'directory_unreachable' }) },
  dns: { hostNames: () => ({ fault: 'dns_off' }), addresses: () => ({ fault: 'dns_off' }) },
};

export class BundledCatalog extends CurrentCatalog {}

export const createBundledIdentifier = (
  sources: EvidenceSources = UNAVAILABLE_SOURCES,
  now: () => number = Date.now,
  allowTestKeys = false,
): Identifier => new Identifier(new BundledCatalog(), sources, allowTestKeys, now);
