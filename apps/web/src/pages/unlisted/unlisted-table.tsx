import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { automationSign } from '#libs/agents/vocabulary';
import { client, data, messageOf, type Project } from '../../api/client.js';
import { unlistedKey, type Suspicion, type UnlistedGroup } from '../../api/unlisted.js';
import { countText } from '../../format/count.js';
import { fullNetwork, shortNetwork } from '../../format/network.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SortHeads } from '../../ui/sort-heads.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { TextLink } from '../../ui/text-link.js';
import { useSorted } from '../../ui/use-sorted.js';
import lines from '../../ui/line-table.module.css';
import classes from './unlisted-table.module.css';

export interface UnlistedTableProps {
  project: Project;
  groups: readonly UnlistedGroup[];
  range: Range;
  /** What its links lead to. */
  linked: LinkedRange;
  /** Which visits are counted; null for all. */
  suspicions: Suspicion[] | null;
  /** Whether agents may be added to the catalog. */
  isAdmin: boolean;
}

const networkText = ({ prefix, client_network: owner }: UnlistedGroup['networks'][number]): string =>
  [fullNetwork(owner), prefix].filter(Boolean).join(' ');

const COLUMNS: readonly Column<UnlistedGroup>[] = [
  { key: 'group', label: 'User agent', value: (group) => group.user_agent_group },
  { key: 'visits', label: 'Visits', isNumber: true, value: (group) => group.visits },
  {
    key: 'signs',
    label: 'Signs',
    isFixed: true,
    value: ({ signs }) => signs.map((sign) => automationSign(sign).label).join(', '),
  },
  { key: 'networks', label: 'Networks', isFixed: true, value: ({ networks }) => networks.map(networkText).join(', ') },
  { key: 'paths', label: 'Paths', isFixed: true, value: ({ paths }) => paths.join(' ') },
  { key: 'first', label: 'First seen', isLatestFirst: true, value: (group) => group.first_seen_at },
  { key: 'last', label: 'Last seen', isLatestFirst: true, value: (group) => group.last_seen_at },
  { key: 'actions', label: 'Actions' },
];
const BY_VISITS: Sort = { key: 'visits', direction: 'descending' };

/** On a narrow screen a row is a block of lines. */
export default function UnlistedTable(props: UnlistedTableProps) {
  const { project, groups, range, linked, suspicions, isAdmin } = props;
  const { rows, sort, onSort } = useSorted(groups, COLUMNS, BY_VISITS);
  const visitsOf = listLink(project.id, linked);
  const automation = suspicions?.join() ?? 'likely,unclear';
  const queryClient = useQueryClient();
  const body = useRef<HTMLTableSectionElement>(null);
  const dismissing = useMutation({
    mutationFn: async (group: string) => {
      const params = { path: { id: project.id } };
      await data(
        client.POST('/api/projects/{id}/dismissed-user-agents', { params, body: { user_agent_group: group } }),
      );
      await queryClient.invalidateQueries({ queryKey: unlistedKey(project.id) });
      // What had the focus is gone.
      body.current?.focus({ preventScroll: true });
    },
  });
  return (
    <>
      <TableTools
        columns={COLUMNS}
        sort={sort}
        onSort={onSort}
        rows={rows}
        owner={project.name}
        page="unlisted programs"
        range={range}
      />
      {dismissing.isError && (
        <Text size="sm" c="var(--failed)" role="alert">
          The user agent was not dismissed. {messageOf(dismissing.error)}
        </Text>
      )}
      <Table className={`${lines['table']} ${classes['table']}`} fz="sm" verticalSpacing={6}>
        <Table.Thead className={lines['head']}>
          <Table.Tr>
            <SortHeads columns={COLUMNS} sort={sort} onSort={onSort} Th={Table.Th} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body} tabIndex={-1}>
          {rows.map((group) => (
            <Table.Tr key={group.user_agent_group}>
              <Table.Th scope="row" data-cell="group" className={classes['group']}>
                {group.user_agent_group}
              </Table.Th>
              <Table.Td data-cell="visits" className="numbers">
                <TextLink {...visitsOf({ automation, user_agent_group: group.user_agent_group })} size="sm">
                  {countText(group.visits)}
                  <span className="unseen"> visits of {group.user_agent_group}</span>
                </TextLink>
              </Table.Td>
              <Table.Td data-cell="signs">
                <Group gap={4}>
                  {group.signs.map(automationSign).map(({ label, sentence }) => (
                    <Badge key={label} variant="default" size="sm" tt="none" fw={500} title={sentence}>
                      {label}
                    </Badge>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td data-cell="networks">
                {group.networks.map((network) => (
                  <div key={network.prefix} className={classes['network']} title={networkText(network)}>
                    <TextLink
                      {...visitsOf({ user_agent_group: group.user_agent_group, address: network.prefix })}
                      size="sm"
                      className="numbers"
                    >
                      {network.prefix}
                    </TextLink>{' '}
                    <Text span size="xs" c="dimmed">
                      {shortNetwork(network.client_network)}
                    </Text>
                  </div>
                ))}
              </Table.Td>
              <Table.Td data-cell="paths">
                {group.paths.map((path) => (
                  <div key={path} className={classes['path']} title={path}>
                    <TextLink
                      {...visitsOf({ user_agent_group: group.user_agent_group, page: path })}
                      size="sm"
                      c="inherit"
                    >
                      {path}
                    </TextLink>
                  </div>
                ))}
              </Table.Td>
              <Table.Td data-cell="first">
                <span className={classes['label']}>First seen </span>
                <RelativeTime time={group.first_seen_at} />
              </Table.Td>
              <Table.Td data-cell="last">
                <span className={classes['label']}>Last seen </span>
                <RelativeTime time={group.last_seen_at} />
              </Table.Td>
              <Table.Td data-cell="actions">
                <Group gap={4}>
                  {isAdmin && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      component={Link}
                      {...({
                        to: '/catalog',
                        search: { add: true, group: group.user_agent_group, project: project.id },
                      } as object)}
                    >
                      Add to catalog<span className="unseen"> {group.user_agent_group}</span>
                    </Button>
                  )}
                  {project.role !== 'viewer' && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={dismissing.isPending}
                      onClick={() => dismissing.mutate(group.user_agent_group)}
                    >
                      Dismiss<span className="unseen"> {group.user_agent_group}</span>
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
