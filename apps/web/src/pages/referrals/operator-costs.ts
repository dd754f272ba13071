import { useQuery } from '@tanstack/react-query';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import type { Project } from '../../api/client.js';
import { loadQuery } from '../../api/load.js';
import type { Referrals } from '../../api/statistics.js';

export type OperatorCosts = ReadonlyMap<string, number>;

/** Returns the cost of all visits by operator, or undefined if unknown. */
export function useOperatorCosts(project: Project, { from, to }: Referrals): OperatorCosts | undefined {
  const { data } = useQuery({
    ...loadQuery(project.id, { from, to }, { by: 'operator' }),
    enabled: hasPrices(project),
  });
  return (
    data &&
    new Map(
      data.rows.flatMap((row) => {
        const cost = getLoadCost(row, project);
        return row.value === null || cost === null ? [] : [[row.value, cost] as const];
      }),
    )
  );
}
