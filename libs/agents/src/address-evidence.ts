import { compileAddressIndex, type AddressIndex } from './address-index.js';
import { cidr, parseCidr } from './address-block.js';
import { parseAddress } from './address.js';
import type { AgentDefinition } from './agent.js';

/** An address list as it was last fetched. Fetching an unchanged list again is to keep its `ranges` the same object. */
export interface PublishedList {
  url: string;
  /** CIDR blocks, all readable. */
  ranges: readonly string[];
  /** Milliseconds since the epoch. */
  fetchedAt: number;
}

/** Address ranges made ready for looking up. */
export interface DatedRanges {
  index: AddressIndex<unknown>;
  /** CIDR blocks that it was compiled from. */
  ranges: readonly string[];
  /** Where they are published; `null` for those that stand with the agent itself. */
  url: string | null;
  /** As of when they are known, in milliseconds since the epoch; `null`: they are current. */
  asOf: number | null;
}

/** What the address ranges of one agent compile to. */
export interface AddressEvidence {
  /** Whatever can say "yes". */
  sources: DatedRanges[];
  /** Whether those are all that the operator publishes, so that a "no" may be had from them. */
  isComplete: boolean;
}

/**
 * Gathers the address ranges by which an agent can be proven; `null` when it has neither ranges nor lists.
 *
 * Ranges of the agent itself are current unless they carry a date. With a date they are a snapshot, which stands in for
 * published lists until all of these have been fetched. Compiled lists are shared by all agents that name them.
 *
 * @param listOf the list of an address, `undefined` when it was never fetched.
 * @throws {RangeError} naming a block, or a date, that can't be read.
 */
export function compileAddressEvidence(
  { verification }: AgentDefinition,
  listOf: (url: string) => PublishedList | undefined,
): AddressEvidence | null {
  const { ip_ranges: ranges = [], ip_ranges_as_of: date, ip_list_urls: urls = [] } = verification;
  if (ranges.length === 0 && urls.length === 0) return null;
  const lists = urls.map(({ url }) => listOf(url)).filter((list) => list !== undefined);
  const sources: DatedRanges[] = lists.map((list) => ({
    index: compiled(list.ranges),
    ranges: list.ranges,
    url: list.url,
    asOf: list.fetchedAt,
  }));
  const isComplete =
    lists.length === urls.length || (date !== undefined && ranges.length > 0 && haveAll(sources, ranges));
  const isReplaced = date !== undefined && urls.length > 0 && isComplete;
  if (ranges.length > 0 && !isReplaced) {
    sources.push({ index: compiled(ranges), ranges, url: null, asOf: date === undefined ? null : timeOf(date) });
  }
  return { sources, isComplete };
}

/** Whether lists have each of these ranges, so that those not fetched are the same under other addresses. */
function haveAll(sources: readonly DatedRanges[], ranges: readonly string[]): boolean {
  return ranges.every((range) => {
    const block = parseCidr(range);
    const first = block === null ? null : parseAddress(cidr(block).split('/')[0]!);
    return sources.some(({ index }) => {
      const match = first === null ? null : index.find(first);
      return match !== null && match.prefixLength <= block!.prefixLength;
    });
  });
}

/** By the array that they were compiled from, for as long as somebody holds that. */
const compiledRanges = new WeakMap<readonly string[], AddressIndex<unknown>>();

function compiled(ranges: readonly string[]): AddressIndex<unknown> {
  const known = compiledRanges.get(ranges);
  if (known !== undefined) return known;
  const index = compileAddressIndex([{ list: null, ranges }]);
  compiledRanges.set(ranges, index);
  return index;
}

function timeOf(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new RangeError(`Not a date: ${date}`);
  return time;
}
