import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { describeAutomationSign } from '#libs/agents/vocabulary';
import { client, data, toErrorMessage, type Project } from '../../api/client.js';
import { unlistedUserAgentsKey, type Suspicion, type UnlistedGroup } from '../../api/unlisted-user-agents.js';
import { formatCount } from '../../format/count.js';
import { formatNetwork, formatShortNetwork } from '../../format/network.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './unlisted-table.module.css';

interface UnlistedTableProps {
  project: Project;
  groups: readonly UnlistedGroup[];
  range: Range;
  /** Range for links to the visit list. */
  linked: LinkedRange;
  /** Automation verdicts that the visit counts include, or null for all. */
  suspicions: Suspicion[] | null;
  /** Administrators can add agents to the catalog. */
  isAdmin: boolean;
}

const networkText = ({ prefix, client_network: owner }: UnlistedGroup['networks'][number]): string =>
  [formatNetwork(owner), prefix].filter(Boolean).join(' ');

/** User agents that match no agent in the catalog. */
export function UnlistedTable(props: UnlistedTableProps) {
  const { project, groups, range, linked, suspicions, isAdmin } = props;
  const visitsLink = listLink(project.id, linked);
  const automation = suspicions?.join() ?? 'likely,unclear';
  const queryClient = useQueryClient();
  const body = useRef<HTMLDivElement>(null);
  const dismiss = useMutation({
    mutationFn: async (group: string) => {
      const params = { path: { id: project.id } };
      await data(
        client.POST('/api/projects/{id}/dismissed-user-agents', { params, body: { user_agent_group: group } }),
      );
      await queryClient.invalidateQueries({ queryKey: unlistedUserAgentsKey(project.id) });
      // Move the focus, because the refetch removes the focused button.
      body.current?.focus({ preventScroll: true });
    },
  });
  const columns: readonly TableColumn<UnlistedGroup>[] = [
    {
      key: 'group',
      label: 'User agent',
      isHead: true,
      value: (group) => group.user_agent_group,
      style: { maxWidth: '26rem', overflowWrap: 'anywhere' },
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (group) => group.visits,
      cell: ({ user_agent_group: group, visits }) => (
        <TextLink {...visitsLink({ automation, user_agent_group: group })} size="sm">
          {formatCount(visits)}
          <span className="unseen"> visits by {group}</span>
        </TextLink>
      ),
      narrow: { after: 'visits' },
    },
    {
      key: 'signs',
      label: 'Signs',
      isFixed: true,
      value: ({ signs }) => signs.map((sign) => describeAutomationSign(sign).label).join(', '),
      cell: ({ signs }) => (
        <Group gap={4}>
          {signs.map(describeAutomationSign).map(({ label, sentence }) => (
            <Badge key={label} variant="default" size="sm" tt="none" fw={500} title={sentence}>
              {label}
            </Badge>
          ))}
        </Group>
      ),
      style: { minWidth: '12rem' },
    },
    {
      key: 'networks',
      label: 'Networks',
      isFixed: true,
      value: ({ networks }) => networks.map(networkText).join(', '),
      cell: ({ user_agent_group: group, networks }) =>
        networks.map((network) => (
          <div key={network.prefix} className={classes['network']} title={networkText(network)}>
            <TextLink
              {...visitsLink({ user_agent_group: group, address: network.prefix })}
              size="sm"
              className="numbers"
            >
              {network.prefix}
            </TextLink>{' '}
            <Text span size="xs" c="dimmed">
              {formatShortNetwork(network.client_network)}
            </Text>
          </div>
        )),
    },
    {
      key: 'paths',
      label: 'Paths',
      isFixed: true,
      value: ({ paths }) => paths.join(' '),
      cell: ({ user_agent_group: group, paths }) =>
        paths.map((path) => (
          <div key={path} className={classes['path']} title={path}>
            <TextLink {...visitsLink({ user_agent_group: group, page: path })} size="sm" c="inherit">
              {path}
            </TextLink>
          </div>
        )),
      narrow: { isSoft: true },
    },
    {
      key: 'first',
      label: 'First seen',
      isTime: true,
      value: (group) => group.first_seen_at,
      narrow: { before: 'First seen' },
    },
    {
      key: 'last',
      label: 'Last seen',
      isTime: true,
      value: (group) => group.last_seen_at,
      narrow: { before: 'Last seen' },
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: ({ user_agent_group: group }) => (
        <Group gap={4}>
          {isAdmin && (
            <Button
              size="compact-xs"
              variant="default"
              component={Link}
              {...({ to: '/catalog', search: { add: true, group, project: project.id } } as object)}
            >
              Add to catalog<span className="unseen"> {group}</span>
            </Button>
          )}
          {project.role !== 'viewer' && (
            <Button
              size="compact-xs"
              variant="default"
              disabled={dismiss.isPending}
              onClick={() => dismiss.mutate(group)}
            >
              Dismiss<span className="unseen"> {group}</span>
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      {dismiss.isError && (
        <Text size="sm" c="var(--failed)" role="alert">
          Couldn't dismiss the user agent. {toErrorMessage(dismiss.error)}
        </Text>
      )}
      <Stack ref={body} tabIndex={-1} gap="sm">
        <DataTable
          label="Unlisted programs"
          columns={columns}
          rows={groups}
          rowKey={(group) => group.user_agent_group}
          initial="visits"
          owner={project.name}
          range={range}
          phone={[
            'group visits',
            'signs signs',
            'networks networks',
            'paths paths',
            'first first',
            'last last',
            'actions actions',
          ]}
        />
      </Stack>
    </>
  );
}
