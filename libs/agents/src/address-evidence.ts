import { compileAddressIndex, type AddressIndex } from './address-index.js';
import { formatCidr, parseCidr } from './address-block.js';
import { parseAddress } from './address.js';
import type { AgentDefinition } from './agent.js';

/**
 * Address list fetched from an operator. A refetch must reuse the `ranges` array of an unchanged list, because the
 * array is the cache key for compiled ranges.
 */
export interface PublishedList {
  url: string;
  ranges: readonly string[];
  /** Time of the last fetch, in milliseconds since the epoch. */
  fetchedAt: number;
  /** Time of the last fetch with different ranges, in milliseconds since the epoch. */
  changedAt: number;
}

export interface DatedRanges {
  index: AddressIndex<unknown>;
  ranges: readonly string[];
  /** URL of the published list, or `null` if the ranges come from the agent's catalog entry. */
  url: string | null;
  /** Date of the ranges in milliseconds since the epoch, or `null` if they are current. */
  asOf: number | null;
  /** Time of the last change in milliseconds since the epoch, or `null` if unknown. */
  changedAt: number | null;
}

export interface AddressEvidence {
  sources: DatedRanges[];
  /** Whether `sources` cover all ranges that the operator publishes. Incomplete sources can't refute a claim. */
  isComplete: boolean;
}

/**
 * Compiles an agent's address ranges. Returns `null` if it has neither ranges nor lists.
 *
 * Ranges in the catalog are current unless they are dated. Dated ranges are a snapshot of the published lists. The
 * snapshot is used until all lists have been fetched, or until the fetched lists cover it. Agents with the same list
 * share its compiled ranges.
 *
 * @param getList Returns the list published at a URL, or `undefined` if it was never fetched.
 * @throws {RangeError} if a block or a date is invalid. The message contains the invalid value.
 */
export function compileAddressEvidence(
  { verification }: AgentDefinition,
  getList: (url: string) => PublishedList | undefined,
): AddressEvidence | null {
  const { ip_ranges: ranges = [], ip_ranges_as_of: date, ip_list_urls: urls = [] } = verification;
  if (ranges.length === 0 && urls.length === 0) return null;
  const lists = urls.map(({ url }) => getList(url)).filter((list) => list !== undefined);
  const sources: DatedRanges[] = lists.map((list) => ({
    index: getCompiledIndex(list.ranges),
    ranges: list.ranges,
    url: list.url,
    asOf: list.fetchedAt,
    changedAt: list.changedAt,
  }));
  const isComplete =
    lists.length === urls.length || (date !== undefined && ranges.length > 0 && coverRanges(sources, ranges));
  const isReplaced = date !== undefined && urls.length > 0 && isComplete;
  if (ranges.length > 0 && !isReplaced) {
    const asOf = date === undefined ? null : parseDate(date);
    sources.push({ index: getCompiledIndex(ranges), ranges, url: null, asOf, changedAt: asOf });
  }
  return { sources, isComplete };
}

/** Returns true if the fetched lists cover all ranges in a snapshot. If so, the missing lists aren't needed. */
function coverRanges(sources: readonly DatedRanges[], ranges: readonly string[]): boolean {
  return ranges.every((range) => {
    const block = parseCidr(range);
    const first = block === null ? null : parseAddress(formatCidr(block).split('/')[0]!);
    return sources.some(({ index }) => {
      const match = first === null ? null : index.find(first);
      return match !== null && match.prefixLength <= block!.prefixLength;
    });
  });
}

const compiledRanges = new WeakMap<readonly string[], AddressIndex<unknown>>();

function getCompiledIndex(ranges: readonly string[]): AddressIndex<unknown> {
  const cachedIndex = compiledRanges.get(ranges);
  if (cachedIndex !== undefined) return cachedIndex;
  const index = compileAddressIndex([{ list: null, ranges }]);
  compiledRanges.set(ranges, index);
  return index;
}

function parseDate(date: string): number {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new RangeError(`Invalid date: ${date}`);
  return time;
}
