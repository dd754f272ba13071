import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/statistics.js';
import type { Finding } from './finding.js';
import { describeNetworkVisits } from './network-warning.js';

/**
 * Returns a warning about the other visits that a rule for a network would have applied to in the finding's range.
 *
 * @returns Null until they've been counted, or if the rule isn't for a network.
 */
export function useNetworkWarning(
  projectId: string,
  network: string | undefined,
  { range, userAgentGroup }: Pick<Finding, 'range' | 'userAgentGroup'>,
): string | null {
  const count = (filters: object, isEnabled = true) => ({
    ...overviewQuery(
      projectId,
      { from: range.from, to: range.to, compareFrom: 'none' },
      { address: [network ?? ''], visitors: 'all', ...filters },
    ),
    enabled: isEnabled && network !== undefined,
  });
  const { data: all } = useQuery(count({}));
  const { data: people } = useQuery(count({ automation: ['unlikely'] }));
  const group = useQuery(count({ user_agent_group: [userAgentGroup] }, userAgentGroup !== undefined)).data;
  if (all === undefined || people === undefined || (userAgentGroup !== undefined && group === undefined)) return null;
  return describeNetworkVisits({
    all: all.current.visits,
    people: people.current.visits,
    own: group?.current.visits ?? null,
    isEstimated: [all, people].some(({ sample }) => sample !== null),
  });
}
