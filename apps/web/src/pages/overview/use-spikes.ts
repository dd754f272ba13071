import { useQueries } from '@tanstack/react-query';
import { newsQuery, type Overview } from '../../api/statistics.js';
import { useClock } from '../../ui/use-clock.js';
import { findMainCause, getAgentVisits, type MainCause } from './main-cause.js';
import { findSpikes, type Spike } from './spikes.js';

export interface ExplainedSpike extends Spike {
  cause: MainCause | null;
}

/**
 * Finds days with unusually many visits, and what explains each of them, by its news. While `isPending` is true, the
 * explanations are still loading.
 */
export function useSpikes(
  projectId: string,
  overview: Overview | undefined,
): { spikes: ExplainedSpike[]; isPending: boolean } {
  const now = useClock();
  const spikes = overview === undefined ? [] : findSpikes(overview, now);
  const queries = useQueries({
    queries: spikes.map(({ from, to }) => ({ ...newsQuery(projectId, { from, to }), refetchInterval: false as const })),
  });
  const explained = spikes.map((spike, index) => {
    const items = queries[index]?.data?.items ?? [];
    return { ...spike, cause: findMainCause(spike.visits - spike.usual, items, getAgentVisits(items)) };
  });
  return { spikes: explained, isPending: queries.some(({ isPending }) => isPending) };
}
