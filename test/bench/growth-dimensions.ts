/** The sizes that are measured, and how an instance gets to be of one. */
import { isQuick } from './compare.ts';
import { BASE, BaseDatabase, GrownInstance } from './growth-instance.ts';
import { addAgents, addProjects, setRanges } from './growth-setup.ts';
import { Writers } from './writer-processes.ts';

export interface Dimension {
  title: string;
  sizes: readonly { label: string; start: (base: BaseDatabase) => Promise<GrownInstance> }[];
}

/** The smallest size is the base's, which has no need of `grow`. */
const dimension = (
  title: string,
  numbers: { whole: readonly number[]; quick: readonly number[] },
  grow: (instance: GrownInstance, size: number) => Promise<unknown>,
): Dimension => ({
  title,
  sizes: (isQuick ? numbers.quick : numbers.whole).map((size, index) => ({
    label: size.toLocaleString('en'),
    async start(base) {
      const instance = await base.copy();
      if (index > 0) await grow(instance, size);
      return instance;
    },
  })),
});

const writers = isQuick ? [1, 2] : [1, 2, 4];

export const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  visits: {
    title: 'Visits stored',
    sizes: (isQuick ? [BASE.visits, 2 * BASE.visits] : [BASE.visits, 10_000_000, 30_000_000]).map((visits, index) => ({
      label: visits.toLocaleString('en'),
      start: (base) => (index === 0 ? base.copy() : base.filled(visits)),
    })),
  },
  projects: dimension('Projects', { whole: [1, 10, 100, 1_000], quick: [1, 3] }, addProjects),
  agents: dimension(
    'Agents in the catalog',
    { whole: [BASE.agents, 5_000, 10_000], quick: [BASE.agents, 2_100] },
    addAgents,
  ),
  ranges: dimension(
    'Address ranges of an agent',
    { whole: [BASE.ranges, 10_000, 100_000], quick: [BASE.ranges, 20] },
    setRanges,
  ),
  writers: {
    title: 'Processes that store',
    sizes: writers.map((count) => ({
      label: String(count),
      async start(base) {
        const instance = await base.copy();
        return instance.storedBy(await Writers.start(instance.databaseUrl, instance.projectId, count), count);
      },
    })),
  },
};
