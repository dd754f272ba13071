import { SimpleGrid } from '@mantine/core';
import type { Overview } from '../../api/statistics.js';
import { BarList } from '../../charts/bar-list.js';
import { agentLink, listLink } from '../../range/list-link.js';

export interface TopListsProps {
  projectId: string;
  overview: Overview;
}

/** The most frequent agents, operators, pages and statuses. */
export function TopLists({ projectId, overview }: TopListsProps) {
  const visits = listLink(projectId, overview);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
      <BarList
        title="Agents"
        empty="No known agents visited."
        bars={overview.top_agents.map((agent) => ({
          key: agent.agent_id,
          label: agent.agent_token ?? 'No longer in the catalog',
          detail: agent.agent_type_name,
          visits: agent.visits,
          link: agentLink(projectId, agent.agent_id, overview),
          visitsLink: visits({ agent: agent.agent_id }),
        }))}
      />
      <BarList
        title="Operators"
        empty="No agents of known operators visited."
        bars={overview.top_operators.map(({ operator_name: operator, visits: count }) => ({
          key: operator,
          label: operator,
          visits: count,
          link: visits({ operator }),
        }))}
      />
      <BarList
        title="Pages"
        empty="None."
        bars={overview.top_pages.map(({ path, visits: count }) => ({
          key: path,
          label: path === '' ? 'All others' : path,
          visits: count,
          ...(path === '' ? { isRest: true } : { link: visits({ page: path }) }),
        }))}
      />
      <BarList
        title="Status codes"
        empty="No visit was reported with a status code."
        bars={overview.top_statuses.map(({ status, visits: count }) => ({
          key: String(status),
          label: status === null ? 'All others, or none reported' : status,
          visits: count,
          ...(status === null ? { isRest: true } : { link: visits({ status: String(status) }) }),
        }))}
      />
    </SimpleGrid>
  );
}
