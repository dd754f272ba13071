import { Table, Text } from '@mantine/core';
import { methodOf, METHODS, reasonSentence } from '#libs/agents/vocabulary';
import type { Project } from '../../api/client.js';
import type { Spoof } from '../../api/statistics.js';
import { countText } from '../../format/count.js';
import { fullNetwork, networkDetails } from '../../format/network.js';
import { agentLink, listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SortHeads } from '../../ui/sort-heads.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { useSorted } from '../../ui/use-sorted.js';
import lines from '../../ui/line-table.module.css';
import classes from './spoof-table.module.css';

export interface SpoofTableProps {
  project: Project;
  spoofs: readonly Spoof[];
  range: Range;
  /** What its links lead to. */
  linked: LinkedRange;
}

const reasonOf = ({ reason }: Spoof): string =>
  reason === null ? '' : [checkedBy(reason), reasonSentence(reason)].filter(Boolean).join(': ');

/** The operator and the blocks of addresses, as text. */
const networkOf = ({ client_network: owner, networks }: Spoof): string =>
  [fullNetwork(owner), ...networks.map(({ prefix }) => prefix)].filter(Boolean).join(' ');

const COLUMNS: readonly Column<Spoof>[] = [
  { key: 'agent', label: 'Claimed agent', value: (spoof) => spoof.agent_token },
  { key: 'operator', label: 'Claimed operator', isOnlyExported: true, value: (spoof) => spoof.operator_name },
  { key: 'network', label: 'Real network', value: networkOf },
  { key: 'visits', label: 'Visits', isNumber: true, value: (spoof) => spoof.visits },
  { key: 'reason', label: 'Reason', value: reasonOf },
  { key: 'paths', label: 'Paths', isFixed: true, value: (spoof) => spoof.paths.join(' ') },
  { key: 'seen', label: 'Last seen', isLatestFirst: true, value: (spoof) => spoof.last_seen_at },
];
const BY_VISITS: Sort = { key: 'visits', direction: 'descending' };

export default function SpoofTable({ project, spoofs, range, linked }: SpoofTableProps) {
  const { rows, sort, onSort } = useSorted(spoofs, COLUMNS, BY_VISITS);
  if (spoofs.length === 0) return <Text size="sm">No spoofed visits.</Text>;
  const projectId = project.id;
  const visits = listLink(projectId, linked);
  return (
    <>
      <TableTools
        columns={COLUMNS}
        sort={sort}
        onSort={onSort}
        rows={rows}
        owner={project.name}
        page="spoofed visits"
        range={range}
      />
      <Table className={`${lines['table']} ${classes['table']}`} fz="sm" verticalSpacing={6}>
        <Table.Thead className={lines['head']}>
          <Table.Tr>
            <SortHeads columns={COLUMNS} sort={sort} onSort={onSort} Th={Table.Th} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((spoof) => (
            <Table.Tr key={`${spoof.agent_id} ${spoof.client_network?.as_number} ${spoof.networks[0]?.prefix}`}>
              <Table.Th scope="row" data-cell="agent">
                <Claimed projectId={projectId} spoof={spoof} range={linked} />
              </Table.Th>
              <Table.Td data-cell="network">
                <RealNetwork spoof={spoof} visits={(network) => visits(filtersOf(spoof, network))} />
              </Table.Td>
              <Table.Td data-cell="visits" className="numbers">
                {spoof.network_count > 1 ? (
                  countText(spoof.visits)
                ) : (
                  <TextLink size="sm" {...visits(filtersOf(spoof, spoof.networks[0]?.prefix))}>
                    {countText(spoof.visits)}
                    <span className="unseen"> visits</span>
                  </TextLink>
                )}
              </Table.Td>
              <Table.Td data-cell="reason">
                {spoof.reason !== null && (
                  <>
                    <Text size="xs" c="dimmed">
                      {checkedBy(spoof.reason)}
                    </Text>
                    {reasonSentence(spoof.reason)}
                  </>
                )}
              </Table.Td>
              <Table.Td data-cell="paths">
                {spoof.paths.map((path) => (
                  <div key={path} className={classes['path']} title={path}>
                    {path}
                  </div>
                ))}
              </Table.Td>
              <Table.Td data-cell="seen">
                <RelativeTime time={spoof.last_seen_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

const filtersOf = ({ agent_id: id, agent_token: token }: Spoof, network: string | undefined) => ({
  result: 'verification_failed',
  ...(id !== null && { agent: token ?? id }),
  ...(network !== undefined && { address: network }),
});

interface RealNetworkProps {
  spoof: Spoof;
  /** Leads to those from one of its networks. */
  visits: (network: string) => ReturnType<ReturnType<typeof listLink>>;
}

/** Who operates the network where they came from, as far as it is known. */
function RealNetwork({ spoof, visits }: RealNetworkProps) {
  const { client_network: owner, networks, network_count: count, host_names: names } = spoof;
  if (networks.length === 0) return 'no trusted address';
  const details = owner === null ? '' : networkDetails(owner);
  return (
    <>
      {owner?.operator_name && <div>{owner.operator_name}</div>}
      {details !== '' && (
        <Text size="xs" c="dimmed">
          {details}
        </Text>
      )}
      {networks.map(({ prefix, visits: ofNetwork }) => (
        <div key={prefix} className={`${classes['prefix']} numbers`}>
          {count === 1 ? (
            prefix
          ) : (
            <>
              <TextLink size="sm" {...visits(prefix)}>
                {prefix}
              </TextLink>{' '}
              ({countText(ofNetwork)})
            </>
          )}
        </div>
      ))}
      {count > networks.length && (
        <Text size="xs" c="dimmed">
          and {countText(count - networks.length)} more networks
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

/** By what the claim was refuted. */
function checkedBy(reason: string): string {
  const method = methodOf(reason);
  return method === null ? '' : `By ${METHODS[method]}`;
}

function Claimed({ projectId, spoof, range }: { projectId: string; spoof: Spoof; range: LinkedRange }) {
  const { agent_id: agentId, agent_token: token, operator_name: operator } = spoof;
  if (agentId === null) return 'An agent that is not in the catalog';
  return (
    <>
      <TextLink {...agentLink(projectId, agentId, range)} size="sm">
        {token ?? 'No longer in the catalog'}
      </TextLink>
      {operator !== null && (
        <Text size="xs" c="dimmed" fw={400}>
          {operator}
        </Text>
      )}
    </>
  );
}
