import { Text } from '@mantine/core';
import { use } from 'react';
import { getMethodForReason, METHODS, describeReason } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { Spoof, UnverifiedResult } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { formatNetwork } from '../../format/network.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import type { Requests } from '../../rules/agent-response.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { RealNetwork } from './real-network.js';

export interface SpoofTableProps {
  project: Project;
  /** Visits with the result, by agent and network. */
  spoofs: readonly Spoof[];
  result: UnverifiedResult;
  /** The corresponding visits in the comparison range. Undefined until they've loaded. */
  previous: readonly Spoof[] | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  range: Range;
  /** Range for links to the visit list. */
  linked: LinkedRange;
  timeZone: string;
}

/** Number of rows shown initially. */
const MAX_ROWS = 10;

const toReasonText = ({ reason }: Spoof): string =>
  reason === null ? '' : [methodText(reason), describeReason(reason)].filter(Boolean).join(': ');

const toNetworkText = ({ client_network: owner, networks }: Spoof): string =>
  [formatNetwork(owner), ...networks.map(({ prefix }) => prefix)].filter(Boolean).join(' ');

const toKey = ({ agent_id: id, client_network: owner, networks }: Spoof): string =>
  `${id} ${owner?.as_number} ${networks[0]?.prefix}`;

/** Visits that weren't verified, by claimed agent and actual network. */
export function SpoofTable(props: SpoofTableProps) {
  const { project, spoofs, result, previous, before, range, linked, timeZone } = props;
  const hasEarlierData = use(EarlierDataContext);
  const filtersOf = (spoof: Spoof, network: string | undefined) => ({
    result,
    ...toAgentFilter(spoof),
    ...(network !== undefined && { address: network }),
  });
  const visits = listLink(project.id, linked);
  const previousVisits = previous && hasEarlierData && new Map(previous.map((spoof) => [toKey(spoof), spoof.visits]));
  const columns: readonly TableColumn<Spoof>[] = [
    {
      key: 'agent',
      label: 'Claimed agent',
      isHead: true,
      value: (spoof) => spoof.agent_token,
      cell: (spoof) => <ClaimedAgent projectId={project.id} spoof={spoof} range={linked} />,
    },
    { key: 'operator', label: 'Claimed operator', isOnlyExported: true, value: (spoof) => spoof.operator_name },
    {
      key: 'network',
      label: 'Actual network',
      value: toNetworkText,
      cell: (spoof) => <RealNetwork spoof={spoof} visits={(network) => visits(filtersOf(spoof, network))} />,
      style: { maxWidth: '18rem' },
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (spoof) => spoof.visits,
      cell: (spoof) => (
        <>
          {spoof.network_count > 1 ? (
            formatCount(spoof.visits)
          ) : (
            <TextLink size="sm" {...visits(filtersOf(spoof, spoof.networks[0]?.prefix))}>
              {formatCount(spoof.visits)}
              <span className="unit"> visits</span>
            </TextLink>
          )}
          {previousVisits && (
            <div>
              <Change current={spoof.visits} previous={previousVisits.get(toKey(spoof)) ?? 0} before={before} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'reason',
      label: 'Reason',
      value: toReasonText,
      cell: ({ reason, operator_name: operator }) =>
        reason !== null && (
          <>
            <Text size="xs" c="dimmed">
              {methodText(reason)}
            </Text>
            {describeReason(reason)}
            {reason === 'no_host_name' && operator !== null && ` ${operator}’s addresses have one.`}
          </>
        ),
    },
    {
      key: 'paths',
      label: 'Paths',
      isFixed: true,
      value: (spoof) => spoof.paths.join(' '),
      cell: ({ paths }) => (
        <Text span size="xs" c="dimmed">
          {paths.join(', ')}
        </Text>
      ),
      narrow: { isSoft: true },
    },
    {
      key: 'seen',
      label: 'Last seen',
      isTime: true,
      value: (spoof) => spoof.last_seen_at,
      narrow: { isSoft: true },
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: (spoof) => (
        <AgentActions
          project={project}
          loadFinding={async () =>
            (await import('../../actions/agent-findings.js')).toSpoofFinding(spoof, result, {
              range,
              timeZone,
              visits: visits(filtersOf(spoof, spoof.network_count === 1 ? spoof.networks[0]?.prefix : undefined)),
            })
          }
          of={`visits claiming to be ${spoof.agent_token ?? 'an unlisted agent'}`}
          isCompact
          canBlock={spoof.network_count === 1}
          canBlockInDryRun
          requests={[toRequests(spoof, result)]}
        />
      ),
    },
  ];
  return (
    <DataTable
      label={result === 'verification_failed' ? 'Failed verification' : 'Visits that can’t be verified'}
      columns={columns}
      rows={spoofs}
      rowKey={toKey}
      initial="visits"
      pageSize={MAX_ROWS}
      owner={project.name}
      range={range}
      phone={['agent visits', 'network seen', 'reason reason', 'actions actions']}
    />
  );
}

/** Returns the requests that a row counts. Rows with several networks have none in common. */
const toRequests = (spoof: Spoof, result: UnverifiedResult): Requests => ({
  ...spoof,
  results: [result],
  ...(spoof.network_count === 1 && spoof.networks.length === 1 && { network: spoof.networks[0]!.prefix }),
});

const toAgentFilter = ({ agent_id: id, agent_token: token }: Spoof) => (id === null ? {} : { agent: token ?? id });

/** Returns the failed verification method as text, such as "By reverse DNS". */
function methodText(reason: string): string {
  const method = getMethodForReason(reason);
  return method === null ? '' : `By ${METHODS[method]}`;
}

function ClaimedAgent({ projectId, spoof, range }: { projectId: string; spoof: Spoof; range: LinkedRange }) {
  const { agent_id: agentId, agent_token: token, operator_name: operator } = spoof;
  if (agentId === null) return "An agent that isn't in the catalog";
  return (
    <MarkedName name={token ?? ''} operator={operator}>
      <TextLink {...agentLink(projectId, agentId, range)} size="sm">
        {token ?? 'No longer in the catalog'}
      </TextLink>
      {operator !== null && (
        <Text size="xs" c="dimmed" fw={400}>
          {operator}
        </Text>
      )}
    </MarkedName>
  );
}
