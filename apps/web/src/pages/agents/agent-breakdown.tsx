import { SimpleGrid, Stack, Text } from '@mantine/core';
import { RESULTS } from '#libs/agents/vocabulary';
import { MAX_SAMPLED_VISITS } from '../../api/constants.js';
import type { VisitingAgent } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { formatShortNetwork } from '../../format/network.js';
import { BarList } from '../../charts/bar-list.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';

const MAX_ADDRESSES = 20;

interface AgentBreakdownProps {
  projectId: string;
  agent: VisitingAgent;
  range: LinkedRange;
}

export function AgentBreakdown({ projectId, agent, range }: AgentBreakdownProps) {
  const visits = listLink(projectId, range);
  const name = agentFilter(agent);
  return (
    <Stack gap="xs">
      {agent.is_sampled && (
        <Text size="xs" c="dimmed">
          Based on the latest {formatCount(MAX_SAMPLED_VISITS)} visits in this range.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
        <BarList
          title="Pages"
          empty="No pages."
          bars={agent.top_pages.map(({ path, visits: count }) => ({
            key: path,
            label: path,
            visits: count,
            link: visits({ agent: name, page: path }),
          }))}
        />
        <BarList
          title="Addresses"
          empty="No trusted addresses."
          bars={agent.addresses
            .slice(0, MAX_ADDRESSES)
            .map(({ address, client_network: network, result, visits: count }) => ({
              key: `${result} ${address}`,
              label: address ?? 'No trusted address',
              detail: [RESULTS[result].label, formatShortNetwork(network)].filter(Boolean).join(' · '),
              visits: count,
              ...(address !== null && { link: visits({ agent: name, result, address }) }),
            }))}
        />
        <BarList
          title="Status codes"
          empty="No visits have a status code."
          bars={agent.top_statuses.map(({ status, visits: count }) => ({
            key: String(status),
            label: status,
            visits: count,
            link: visits({ agent: name, status: String(status) }),
          }))}
        />
        <BarList
          title="Methods"
          empty="No methods."
          bars={agent.methods.map(({ method, visits: count }) => ({ key: method, label: method, visits: count }))}
        />
      </SimpleGrid>
    </Stack>
  );
}
