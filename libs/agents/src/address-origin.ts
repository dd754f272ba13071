import type { AddressEvidence, DatedRanges } from './address-evidence.js';
import { compileAddressIndex, type AddressIndex } from './address-index.js';
import type { Address } from './address.js';
import type { AgentDefinition } from './agent.js';

/** Published range that contains the address of an unknown visitor. */
export interface AddressOrigin {
  /** Agent that the range is published for. If agents share it, the one with the shortest name. */
  agent_token: string;
  operator_name: string | null;
  range: string;
  /** URL of the published list, or `null` for ranges in the catalog. */
  list_url: string | null;
  /** Date of the ranges (RFC 3339), or `null` if they have none. */
  as_of: string | null;
}

export type AddressOrigins = (address: Address) => AddressOrigin | null;

/** Most recent index, which can usually be reused for the next version of the catalog. */
let latest: { ranges: readonly (readonly string[])[]; index: AddressIndex<number> } | undefined;

/** Compiles the ranges of all agents into one lookup. */
export function compileAddressOrigins(
  agents: Iterable<AgentDefinition>,
  addressesOf: (agent: AgentDefinition) => AddressEvidence | null,
): AddressOrigins {
  const owners = [...agents]
    .toSorted((one, other) => one.token.length - other.token.length)
    .flatMap((agent) => (addressesOf(agent)?.sources ?? []).map((source) => ({ agent, source })))
    .filter(isFirstWithRanges());
  const index = compiled(owners.map(({ source }) => source.ranges));
  return (address) => {
    const match = index.find(address);
    return match === null ? null : originOf(owners[match.list]!, match.range);
  };
}

/** Returns a filter that drops repeated ranges. Agents of an operator often share them. */
function isFirstWithRanges(): (owner: { source: DatedRanges }) => boolean {
  const seen = new Set<string>();
  return ({ source: { ranges } }) => {
    const key = ranges.join();
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
}

function compiled(ranges: readonly (readonly string[])[]): AddressIndex<number> {
  const isKnown = latest?.ranges.length === ranges.length && latest.ranges.every((list, at) => list === ranges[at]);
  if (!isKnown) latest = { ranges, index: compileAddressIndex(ranges.map((list, at) => ({ list: at, ranges: list }))) };
  return latest!.index;
}

const originOf = (
  { agent, source: { url, asOf } }: { agent: AgentDefinition; source: DatedRanges },
  range: string,
): AddressOrigin => ({
  agent_token: agent.token,
  operator_name: agent.operator,
  range,
  list_url: url,
  as_of: asOf === null ? null : new Date(asOf).toISOString(),
});
