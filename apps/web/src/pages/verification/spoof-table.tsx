import { Text } from '@mantine/core';
import { getMethodForReason, METHODS, describeReason } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import type { Project } from '../../api/client.js';
import type { Spoof } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { formatNetwork, formatNetworkDetails } from '../../format/network.js';
import { Change } from '../../range/change.js';
import { agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './spoof-table.module.css';

interface SpoofTableProps {
  project: Project;
  spoofs: readonly Spoof[];
  /** Spoofed visits in the comparison range. Undefined until they've loaded. */
  previous: readonly Spoof[] | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  range: Range;
  /** Range for links to the visit list. */
  linked: LinkedRange;
  timeZone: string;
}

const toReasonText = ({ reason }: Spoof): string =>
  reason === null ? '' : [methodText(reason), describeReason(reason)].filter(Boolean).join(': ');

const toNetworkText = ({ client_network: owner, networks }: Spoof): string =>
  [formatNetwork(owner), ...networks.map(({ prefix }) => prefix)].filter(Boolean).join(' ');

const toKey = ({ agent_id: id, client_network: owner, networks }: Spoof): string =>
  `${id} ${owner?.as_number} ${networks[0]?.prefix}`;

export function SpoofTable({ project, spoofs, previous, before, range, linked, timeZone }: SpoofTableProps) {
  if (spoofs.length === 0) return <Text size="sm">No spoofed visits in this range.</Text>;
  const visits = listLink(project.id, linked);
  const previousVisits = previous && new Map(previous.map((spoof) => [toKey(spoof), spoof.visits]));
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
              <span className="unseen"> visits</span>
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
      cell: ({ reason }) =>
        reason !== null && (
          <>
            <Text size="xs" c="dimmed">
              {methodText(reason)}
            </Text>
            {describeReason(reason)}
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
            (await import('../../actions/agent-findings.js')).toSpoofFinding(spoof, {
              range,
              timeZone,
              visits: visits(filtersOf(spoof, spoof.network_count === 1 ? spoof.networks[0]?.prefix : undefined)),
            })
          }
          of={`visits that spoof ${spoof.agent_token ?? 'an unlisted agent'}`}
          isCompact
        />
      ),
    },
  ];
  return (
    <DataTable
      label="Spoofed visits"
      columns={columns}
      rows={spoofs}
      rowKey={toKey}
      initial="visits"
      owner={project.name}
      range={range}
      phone={['agent visits', 'network seen', 'reason actions']}
    />
  );
}

const filtersOf = ({ agent_id: id, agent_token: token }: Spoof, network: string | undefined) => ({
  result: 'verification_failed',
  ...(id !== null && { agent: token ?? id }),
  ...(network !== undefined && { address: network }),
});

interface RealNetworkProps {
  spoof: Spoof;
  /** Returns a link to the visits from a network prefix. */
  visits: (network: string) => ReturnType<ReturnType<typeof listLink>>;
}

function RealNetwork({ spoof, visits }: RealNetworkProps) {
  const { client_network: owner, networks, network_count: count, host_names: names } = spoof;
  if (networks.length === 0) return <span className="zero">Not known</span>;
  const details = owner === null ? '' : formatNetworkDetails(owner);
  return (
    <>
      {owner?.operator_name && <div>{owner.operator_name}</div>}
      {details !== '' && (
        <Text size="xs" c="dimmed">
          {details}
        </Text>
      )}
      {networks.map(({ prefix, visits: visitCount }) => (
        <div key={prefix} className={`${classes['prefix']} numbers`}>
          <TextLink size="sm" {...visits(prefix)}>
            {prefix}
          </TextLink>
          {count > 1 && ` (${formatCount(visitCount)})`}
        </div>
      ))}
      {count > networks.length && (
        <Text size="xs" c="dimmed">
          and {formatCount(count - networks.length)} more networks
        </Text>
      )}
      {names.length > 0 && (
        <Text size="xs" c="dimmed" className={classes['names']}>
          Reverse DNS claims {names.join(', ')}
        </Text>
      )}
    </>
  );
}

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
