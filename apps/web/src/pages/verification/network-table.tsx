import { use } from 'react';
import { describeReason } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { formatNetwork } from '../../format/network.js';
import { Change } from '../../range/change.js';
import { EarlierDataContext } from '../../range/earlier-data.js';
import { listLink } from '../../range/list-link.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { groupNetworks, toRowFilters, type NetworkRow } from './group-networks.js';
import { RealNetwork } from './real-network.js';
import type { SpoofTableProps } from './spoof-table.js';
import classes from './spoof-table.module.css';

/** Number of rows shown initially. */
const MAX_ROWS = 10;
/** Number of agents and reasons shown for a network. The table by agent has the others. */
const [MAX_CLAIMS, MAX_REASONS] = [5, 2];

/** Returns the first items, or all if only one more would be left out. */
const limit = <T,>(items: readonly T[], count: number): readonly T[] =>
  items.length > count + 1 ? items.slice(0, count) : items;

const getClaimName = ({ agent_token: token }: NetworkRow['claims'][number]): string =>
  token ?? 'An agent that isn’t in the catalog';

const getReasons = ({ claims }: NetworkRow): string[] => [
  ...new Set(claims.flatMap(({ reason }) => (reason === null ? [] : [describeReason(reason)]))),
];

/** Visits that weren't verified, by network. */
export function NetworkTable(props: SpoofTableProps) {
  const { project, spoofs, result, previous, before, range, linked, timeZone } = props;
  const hasEarlierData = use(EarlierDataContext);
  const rows = groupNetworks(spoofs);
  const visits = listLink(project.id, linked);
  const earlier =
    previous && hasEarlierData && new Map(groupNetworks(previous).map(({ key, visits: count }) => [key, count]));
  const toLink = (row: NetworkRow, prefix: string | undefined) => visits(toFilters(toRowFilters(row, result, prefix)));
  const columns: readonly TableColumn<NetworkRow>[] = [
    {
      key: 'network',
      label: 'Network',
      isHead: true,
      value: ({ client_network: owner, networks }) =>
        [formatNetwork(owner), ...networks.map(({ prefix }) => prefix)].filter(Boolean).join(' '),
      cell: (row) => <RealNetwork spoof={row} visits={(prefix) => toLink(row, prefix)} />,
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (row) => row.visits,
      cell: (row) => (
        <>
          {row.network_count > 1 ? (
            formatCount(row.visits)
          ) : (
            <TextLink size="sm" {...toLink(row, row.networks[0]?.prefix)}>
              {formatCount(row.visits)}
              <span className="unit"> visits</span>
            </TextLink>
          )}
          {earlier && (
            <div>
              <Change current={row.visits} previous={earlier.get(row.key) ?? 0} before={before} />
            </div>
          )}
        </>
      ),
    },
    {
      key: 'agents',
      label: 'Claimed agents',
      isFixed: true,
      value: ({ claims }) => claims.map((claim) => `${getClaimName(claim)} (${claim.visits})`).join(', '),
      cell: (row) => <Claims row={row} {...{ visits, result }} />,
    },
    {
      key: 'reason',
      label: 'Reason',
      isFixed: true,
      value: (row) => getReasons(row).join(' '),
      cell: (row) => <Reasons reasons={getReasons(row)} />,
      narrow: { isSoft: true },
    },
    {
      key: 'seen',
      label: 'Last seen',
      isTime: true,
      value: (row) => row.last_seen_at,
      narrow: { isSoft: true },
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: (row) => {
        const prefix = row.network_count === 1 && row.networks.length === 1 ? row.networks[0]!.prefix : undefined;
        return (
          prefix !== undefined && (
            <AgentActions
              project={project}
              loadFinding={() =>
                Promise.resolve({
                  title: `${formatVisitCount(row.visits)} from ${prefix} ${result === 'verification_failed' ? 'failed verification' : 'couldn’t be verified'}`,
                  facts: [
                    ['Network', [prefix, formatNetwork(row.client_network)].filter(Boolean).join(' ')],
                    ['Claimed to be', row.claims.map(getClaimName).join(', ')],
                    ['Evidence', getReasons(row).join(' ')],
                  ],
                  network: prefix,
                  alertKind: result === 'verification_failed' ? 'spoofing' : 'spike',
                  range,
                  timeZone,
                  visits: toLink(row, prefix),
                })
              }
              of={`visits from ${prefix}`}
              isCompact
              canBlock
              canBlockInDryRun
              requests={row.claims.map((claim) => ({ ...claim, network: prefix, results: [result] }))}
            />
          )
        );
      },
    },
  ];
  return (
    <DataTable
      label={result === 'verification_failed' ? 'Failed verification' : 'Visits that can’t be verified'}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      className={classes['byNetwork']}
      initial="visits"
      pageSize={MAX_ROWS}
      owner={project.name}
      range={range}
      phone={['network visits', 'agents agents', 'reason reason', 'seen actions']}
    />
  );
}

interface ClaimsProps extends Pick<SpoofTableProps, 'result'> {
  row: NetworkRow;
  visits: ReturnType<typeof listLink>;
}

/** Agents that a network claimed to be, with the number of visits as each. */
const Claims = ({ row, visits, result }: ClaimsProps) => (
  <ul className={classes['claims']}>
    {limit(row.claims, MAX_CLAIMS).map((claim) => (
      <li key={claim.agent_id}>
        <AgentMark name={getClaimName(claim)} operator={claim.operator_name} size={16} />
        {getClaimName(claim)}
        {row.claims.length > 1 &&
          (claim.agent_id === null ? (
            <span className="numbers">{formatCount(claim.visits)}</span>
          ) : (
            <TextLink
              {...visits({
                result,
                agent: claim.agent_token ?? claim.agent_id,
                ...(row.networks[0] && { address: row.networks[0].prefix }),
              })}
              size="sm"
              className="numbers"
            >
              {formatCount(claim.visits)}
              <span className="unseen"> visits as {getClaimName(claim)}</span>
            </TextLink>
          ))}
      </li>
    ))}
    {row.claims.length > MAX_CLAIMS + 1 && (
      <li className={classes['rest']}>and {formatCount(row.claims.length - MAX_CLAIMS)} more</li>
    )}
  </ul>
);

const Reasons = ({ reasons }: { reasons: readonly string[] }) => (
  <>
    {limit(reasons, MAX_REASONS).map((reason) => (
      <div key={reason}>{reason}</div>
    ))}
    {reasons.length > MAX_REASONS + 1 && (
      <div className={classes['rest']} title={reasons.slice(MAX_REASONS).join(' ')}>
        and {formatCount(reasons.length - MAX_REASONS)} more reasons
      </div>
    )}
  </>
);
