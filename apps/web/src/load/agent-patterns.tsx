import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../api/client.js';
import { loadQuery } from '../api/load.js';
import type { Range, VisitingAgent } from '../api/statistics.js';
import { BarList } from '../charts/bar-list.js';
import { toFilters } from '../filters/visit-filters.js';
import { agentFilter, listLink } from '../range/list-link.js';
import type { LinkedRange } from '../range/range.js';
import { Failure } from '../ui/failure.js';
import { getPatternFilters } from './pattern-filters.js';

interface AgentPatternsProps {
  project: Project;
  agent: Pick<VisitingAgent, 'agent_id' | 'agent_token'>;
  range: Range;
  /** Time range for the links. */
  linked: LinkedRange;
}

/** List of an agent's requests by the project's path patterns. */
export default function AgentPatterns({ project, agent, range, linked }: AgentPatternsProps) {
  const filters = { agent: [agentFilter(agent)] };
  const query = useQuery(loadQuery(project.id, range, { by: 'pattern', ...filters }));
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton h={160} animate={false} role="status" aria-label="Loading" />;
  const report = query.data;
  const { path_patterns: patterns } = project;
  return (
    <BarList
      isTitleHidden
      title="Path patterns"
      empty="No visits."
      isEstimated={report.sample !== null}
      bars={report.rows
        .toSorted((one, other) => other.requests - one.requests)
        .map(({ value, requests }) => ({
          key: value ?? '',
          label: patterns.find(({ pattern }) => pattern === value)?.name ?? value ?? 'No pattern',
          detail: value,
          visits: requests,
          isRest: value === null,
          link: listLink(project.id, linked)(toFilters(getPatternFilters(value, filters, patterns))),
        }))}
    />
  );
}
