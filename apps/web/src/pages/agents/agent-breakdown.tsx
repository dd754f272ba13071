import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense, use } from 'react';
import { RESULTS } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import { MAX_SAMPLED_VISITS } from '../../api/constants.js';
import type { Project } from '../../api/client.js';
import type { VisitingAgent } from '../../api/statistics.js';
import { formatChange } from '../../format/change.js';
import { formatCount } from '../../format/count.js';
import { formatShortNetwork } from '../../format/network.js';
import { toListTab } from '../../charts/list-tab.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { Columns } from '../../ui/columns.js';
import { TabbedCard } from '../../ui/tabbed-card.js';
import { groupAddresses } from './group-addresses.js';
import { HowVerified } from './how-verified.js';

const AgentPatterns = lazy(() => import('../../load/agent-patterns.js'));

const MAX_ROWS = 10;
/** Unverified networks with a smaller share of the agent's visits aren't worth a rule. */
const MIN_BLOCKED_SHARE = 0.1;

interface AgentBreakdownProps {
  project: Project;
  agent: VisitingAgent;
  /** Range of the page. */
  shown: ShownRange;
  /** Time range for the links. */
  range: LinkedRange;
  /** Name of the comparison range, or null for none. */
  before: string | null;
}

export function AgentBreakdown({ project, agent, shown, range, before }: AgentBreakdownProps) {
  const hasEarlierData = use(EarlierDataContext);
  const toCounts = ({ visits: current, previous_visits: previous }: { visits: number; previous_visits?: number }) => ({
    visits: current,
    ...(before !== null &&
      hasEarlierData &&
      agent.previous_visits > 0 &&
      previous !== undefined && { change: formatChange(current, previous) }),
  });
  const visits = listLink(project.id, range);
  const name = agentFilter(agent);
  const blockNetwork = (network: string) => (
    <AgentActions
      project={project}
      loadFinding={() =>
        Promise.resolve({
          title: `${network} claimed to be ${name}`,
          facts: [['Network', network]],
          range: agent,
          timeZone: shown.timeZone,
          visits: visits({ agent: name, address: network }),
          network,
        })
      }
      of={network}
      isCompact
      canBlock
      canBlockInDryRun
      requests={[{ ...agent, network }]}
    />
  );
  return (
    <Stack gap="xs">
      {agent.is_sampled && (
        <Text size="xs" c="dimmed">
          Based on the latest {formatCount(MAX_SAMPLED_VISITS)} visits in this range.
        </Text>
      )}
      <Columns cols={{ base: 1, md: 2 }}>
        <TabbedCard
          label="Where and how"
          tabs={[
            toListTab(
              {
                title: 'Pages',
                empty: 'No pages.',
                bars: agent.top_pages.slice(0, MAX_ROWS).map(({ path, ...counts }) => ({
                  key: path,
                  label: path,
                  ...toCounts(counts),
                  link: visits({ agent: name, page: path }),
                  visitsLink: visits({ agent: name, page: path }),
                })),
              },
              'pages',
            ),
            toListTab(
              {
                title: 'Status codes',
                empty: 'No visits have a status code.',
                bars: agent.top_statuses.slice(0, MAX_ROWS).map(({ status, ...counts }) => ({
                  key: String(status),
                  label: status,
                  ...toCounts(counts),
                  link: visits({ agent: name, status: String(status) }),
                  visitsLink: visits({ agent: name, status: String(status) }),
                })),
              },
              'statuses',
            ),
            toListTab(
              {
                title: 'Methods',
                empty: 'No methods.',
                bars: agent.methods.map(({ method, visits: count }) => ({ key: method, label: method, visits: count })),
              },
              'methods',
            ),
            ...(project.path_patterns.length > 0
              ? [
                  {
                    key: 'patterns',
                    label: 'Path patterns',
                    content: (
                      <Suspense fallback={<Skeleton h={160} animate={false} />}>
                        <AgentPatterns project={project} agent={agent} range={shown} linked={range} />
                      </Suspense>
                    ),
                  },
                ]
              : []),
          ]}
        />
        <TabbedCard
          label="Identity"
          param="identity"
          tabs={[
            toListTab(
              {
                title: 'Addresses',
                empty: 'No trusted addresses.',
                bars: groupAddresses(agent.addresses)
                  .slice(0, MAX_ROWS)
                  .map(({ address, count, client_network: network, result, visits: current }) => ({
                    key: `${result} ${address}`,
                    label: address ?? 'No trusted address',
                    detail: (
                      <>
                        {count > 1 && `${formatCount(count)} addresses · `}
                        <span style={result === 'verification_failed' ? { color: 'var(--failed)' } : {}}>
                          {RESULTS[result].label}
                        </span>
                        {formatShortNetwork(network) !== '' && ` · ${formatShortNetwork(network)}`}
                      </>
                    ),
                    visits: current,
                    ...(address !== null && {
                      link: visits({ agent: name, result, address }),
                      visitsLink: visits({ agent: name, result, address }),
                    }),
                    ...(address !== null &&
                      (result === 'verification_failed' ||
                        (result === 'not_verifiable' && count > 1 && current >= MIN_BLOCKED_SHARE * agent.visits)) && {
                        action: blockNetwork(address),
                      }),
                  })),
              },
              'addresses',
            ),
            ...(agent.agent_token === null
              ? []
              : [{ key: 'verified', label: 'How it’s verified', content: <HowVerified agentId={agent.agent_id} /> }]),
          ]}
        />
      </Columns>
    </Stack>
  );
}
