import { Table, Text } from '@mantine/core';
import { methodOf, METHODS, reasonSentence } from '#libs/agents/vocabulary';
import type { Spoof } from '../../api/statistics.js';
import { networkDetails } from '../../format/network.js';
import { agentLink, listLink } from '../../range/list-link.js';
import type { Range } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';
import lines from '../../ui/line-table.module.css';
import classes from './spoof-table.module.css';

export interface SpoofTableProps {
  projectId: string;
  spoofs: readonly Spoof[];
  range: Range;
}

const HEADS = ['Claimed agent', 'Real network', 'Visits', 'Reason', 'Paths', 'Last seen'];

export function SpoofTable({ projectId, spoofs, range }: SpoofTableProps) {
  if (spoofs.length === 0) return <Text size="sm">No spoofed visits.</Text>;
  const visits = listLink(projectId, range);
  return (
    <Table className={`${lines['table']} ${classes['table']}`} fz="sm" verticalSpacing={6}>
      <Table.Thead className={lines['head']}>
        <Table.Tr>
          {HEADS.map((head) => (
            <Table.Th key={head} ta={head === 'Visits' ? 'right' : 'left'}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {spoofs.map((spoof) => (
          <Table.Tr key={`${spoof.agent_id} ${spoof.client_network?.as_number} ${spoof.networks[0]?.prefix}`}>
            <Table.Th scope="row" data-cell="agent">
              <Claimed projectId={projectId} spoof={spoof} range={range} />
            </Table.Th>
            <Table.Td data-cell="network">
              <RealNetwork spoof={spoof} visits={(network) => visits(filtersOf(spoof, network))} />
            </Table.Td>
            <Table.Td data-cell="visits" className="numbers">
              {spoof.network_count > 1 ? (
                spoof.visits.toLocaleString('en')
              ) : (
                <TextLink size="sm" {...visits(filtersOf(spoof, spoof.networks[0]?.prefix))}>
                  {spoof.visits.toLocaleString('en')}
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
  );
}

const filtersOf = ({ agent_id: agent }: Spoof, network: string | undefined) => ({
  result: 'verification_failed',
  ...(agent !== null && { agent }),
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
              ({ofNetwork.toLocaleString('en')})
            </>
          )}
        </div>
      ))}
      {count > networks.length && (
        <Text size="xs" c="dimmed">
          and {(count - networks.length).toLocaleString('en')} more networks
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

function Claimed({ projectId, spoof, range }: { projectId: string; spoof: Spoof; range: Range }) {
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
