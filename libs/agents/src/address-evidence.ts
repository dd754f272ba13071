import { compileAddressIndex, type AddressIndex } from './address-index.js';
import { cidr, parseCidr } from './address-block.js';
import { parseAddress } from './address.js';
import type { AgentDefinition } from './agent.js';

/**
 * Address list fetched from an operator. If a list didn't change, a refetch must reuse its `ranges` array: compiled
 * ranges are cached by it.
 */
export interface PublishedList {
  url: string;
  /** Valid CIDR blocks. */
  ranges: readonly string[];
  /** When the list was last fetched, in milliseconds since the epoch. */
  fetchedAt: number;
}

/** Compiled address ranges with their source and date. */
export interface DatedRanges {
  index: AddressIndex<unknown>;
  /** CIDR blocks that `index` was compiled from. */
  ranges: readonly string[];
  /** URL of the published list, or `null` for ranges in the agent's catalog entry. */
  url: string | null;
  /** Date of the ranges in milliseconds since the epoch, or `null` if they are current. */
  asOf: number | null;
}

export interface AddressEvidence {
  sources: DatedRanges[];
  /** Whether `sources` cover everything the operator publishes. Otherwise, they can't refute a claim. */
  isComplete: boolean;
}

/**
 * Compiles the address ranges of an agent. Returns `null` if it has neither ranges nor lists.
 *
 * The agent's own ranges are current unless they have a date. Dated ranges are a snapshot of the published lists. They
 * are used until all lists have been fetched, or until those fetched cover the snapshot. Agents that name the same list
 * share its compiled ranges.
 *
 * @param listOf Returns the list at a URL, or `undefined` if it was never fetched.
 * @throws {RangeError} if a block or a date is invalid. The message contains it.
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

/** Returns whether the fetched lists cover a snapshot. If so, the missing lists add nothing. */
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
