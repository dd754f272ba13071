import { parseAddress } from '#libs/agents';
import type { CompiledCatalog } from './compiled-catalog.js';

/** Returns true if an address belongs to a known data center. */
export function isDataCenterAddress({ dataCenters }: CompiledCatalog, text: string | null): boolean {
  if (dataCenters === null || text === null) return false;
  const address = parseAddress(text);
  return address !== null && dataCenters.contains(address);
}
