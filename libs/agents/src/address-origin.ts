import type { AddressEvidence, DatedRanges } from './address-evidence.js';
import { compileAddressIndex, type AddressIndex } from './address-index.js';
import type { Address } from './address.js';
import type { AgentDefinition } from './agent.js';

/** Published range containing an unidentified visitor's address. */
export interface AddressOrigin {
  /** Agent that the range belongs to. If several agents share the range, the one with the shortest token. */
  agent_token: string;
  operator_name: string | null;
  range: string;
  /** URL of the published list, or `null` for ranges in the catalog. */
  list_url: string | null;
  /** Date of the ranges (RFC 3339), or `null` if they are undated. */
  as_of: string | null;
}

export type AddressOriginLookup = (address: Address) => AddressOrigin | null;

/** Most recently compiled index. Most catalog updates don't change any ranges, so it can be reused. */
let latestIndex: { ranges: readonly (readonly string[])[]; index: AddressIndex<number> } | undefined;

/** Compiles all agents' address ranges into one lookup function. */
export function compileAddressOriginLookup(
  agents: Iterable<AgentDefinition>,
  getEvidence: (agent: AgentDefinition) => AddressEvidence | null,
): AddressOriginLookup {
  const owners = [...agents]
    .toSorted((one, other) => one.token.length - other.token.length)
    .flatMap((agent) => (getEvidence(agent)?.sources ?? []).map((source) => ({ agent, source })))
    .filter(createDuplicateFilter());
  const index = getCompiledIndex(owners.map(({ source }) => source.ranges));
  return (address) => {
    const match = index.find(address);
    return match === null ? null : toOrigin(owners[match.list]!, match.range);
  };
}

/** Creates a filter that drops duplicate ranges. An operator's agents often share their ranges. */
function createDuplicateFilter(): (owner: { source: DatedRanges }) => boolean {
  const seen = new Set<string>();
  return ({ source: { ranges } }) => {
    const key = ranges.join();
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
}

function getCompiledIndex(ranges: readonly (readonly string[])[]): AddressIndex<number> {
  const isReusable =
    latestIndex?.ranges.length === ranges.length && latestIndex.ranges.every((list, at) => list === ranges[at]);
  if (!isReusable)
    latestIndex = { ranges, index: compileAddressIndex(ranges.map((list, at) => ({ list: at, ranges: list }))) };
  return latestIndex!.index;
}

const toOrigin = (
  { agent, source: { url, asOf } }: { agent: AgentDefinition; source: DatedRanges },
  range: string,
): AddressOrigin => ({
  agent_token: agent.token,
  operator_name: agent.operator,
  range,
  list_url: url,
  as_of: asOf === null ? null : new Date(asOf).toISOString(),
});
