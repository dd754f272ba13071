import { compareBlocks, formatCidr, mergeBlocks, parseCidr, type AddressBlock } from '#libs/agents';
import type { Agent, CompiledCatalog } from '#libs/catalog';

export interface VerifiedRanges {
  /** Number of the list of ranges that verifies an agent, from 1. Agents without ranges are missing. */
  listByAgent: ReadonlyMap<Agent, number>;
  /**
   * Ranges, sorted by address, with the numbers of all lists that contain them. The most specific range that contains
   * an address decides.
   */
  ranges: readonly { range: string; lists: readonly number[] }[];
}

/** Returns the published ranges of agents. Agents with the same ranges share a list. */
export function verifiedRanges(agents: readonly Agent[], catalog: CompiledCatalog): VerifiedRanges {
  const listByAgent = new Map<Agent, number>();
  const numbers = new Map<string, number>();
  const entries: { block: AddressBlock; lists: number[] }[] = [];
  for (const agent of agents) {
    const sources = catalog.getAddressEvidence(agent)?.sources ?? [];
    const blocks = mergeBlocks(sources.flatMap(({ ranges }) => ranges.map((range) => parseCidr(range)!)));
    if (blocks.length === 0) continue;
    const key = blocks.map(formatCidr).join();
    const number = numbers.get(key) ?? numbers.size + 1;
    if (!numbers.has(key)) entries.push(...blocks.map((block) => ({ block, lists: [number] })));
    numbers.set(key, number);
    listByAgent.set(agent, number);
  }
  const containing: typeof entries = [];
  const unique = new Map<string, number[]>();
  for (const entry of entries.toSorted((one, other) => compareBlocks(one.block, other.block))) {
    const { block, lists } = entry;
    while (containing.length > 0 && !contains(containing.at(-1)!.block, block)) containing.pop();
    lists.unshift(...(containing.at(-1)?.lists ?? []));
    containing.push(entry);
    // An equal block is next to this one, and the last of them has the lists of all.
    unique.set(formatCidr(block), lists);
  }
  return { listByAgent, ranges: [...unique].map(([range, lists]) => ({ range, lists })) };
}

const contains = (outer: AddressBlock, { family, first }: AddressBlock): boolean =>
  outer.family === family && outer.first <= first && first <= outer.last;
