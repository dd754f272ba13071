import { useQuery } from '@tanstack/react-query';
import type { Project } from '../api/client.js';
import { overviewQuery } from '../api/statistics.js';
import type { Finding } from './finding.js';
import { describeNetworkVisits } from './network-warning.js';

/**
 * Returns a warning about the other visits that a rule for a network would have applied to in the finding's range.
 *
 * @returns Null until they've been counted, if the rule isn't for a network, or if the network of some visits isn't stored.
 */
export function useNetworkWarning(
  project: Project,
  network: string | undefined,
  { range, userAgentGroup }: Pick<Finding, 'range' | 'userAgentGroup'>,
): string | null {
  const count = (filters: object, isEnabled = true) => ({
    ...overviewQuery(
      project.id,
      { from: range.from, to: range.to, compareFrom: 'none' },
      { address: [network ?? ''], visitors: 'all', ...filters },
    ),
    enabled: isEnabled && network !== undefined && project.unknown_visitors === 'kept',
  });
  const { data: all } = useQuery(count({}));
  const { data: people } = useQuery(count({ automation: ['unlikely'] }));
  const group = useQuery(count({ user_agent_group: [userAgentGroup] }, userAgentGroup !== undefined)).data;
  // Disabled queries keep the data of a network that was selected before.
  if (network === undefined) return null;
  if (all === undefined || people === undefined || (userAgentGroup !== undefined && group === undefined)) return null;
  if ((all.sample?.not_stored ?? 0) > 0) return null;
  return describeNetworkVisits({
    all: all.current.visits,
    people: people.current.visits,
    own: group?.current.visits ?? null,
    isEstimated: [all, people].some(({ sample }) => sample?.is_estimated === true),
  });
}
