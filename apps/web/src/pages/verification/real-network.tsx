import { Text } from '@mantine/core';
import type { Spoof } from '../../api/statistics.js';
import { formatCount } from '../../format/count.js';
import { formatNetworkDetails } from '../../format/network.js';
import type { listLink } from '../../range/list-link.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './spoof-table.module.css';

interface RealNetworkProps {
  spoof: Pick<Spoof, 'client_network' | 'networks' | 'network_count' | 'host_names'>;
  /** Returns a link to the visits from a network prefix. */
  visits: (network: string) => ReturnType<ReturnType<typeof listLink>>;
}

/** Networks that visits came from, with their operator. */
export function RealNetwork({ spoof, visits }: RealNetworkProps) {
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
