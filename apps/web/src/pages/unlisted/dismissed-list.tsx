import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, data, toErrorMessage, type Project } from '../../api/client.js';
import {
  dismissedUserAgentsQuery,
  unlistedUserAgentsKey,
  type DismissedUserAgent,
} from '../../api/unlisted-user-agents.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Lead } from '../../ui/lead.js';

export function DismissedList({ project }: { project: Project }) {
  const { data: dismissed = [] } = useQuery(dismissedUserAgentsQuery(project.id));
  const queryClient = useQueryClient();
  const body = useRef<HTMLDivElement>(null);
  const restore = useMutation({
    mutationFn: async (dismissedId: string) => {
      const params = { path: { id: project.id, dismissedId } };
      await data(client.DELETE('/api/projects/{id}/dismissed-user-agents/{dismissedId}', { params }));
      await queryClient.invalidateQueries({ queryKey: unlistedUserAgentsKey(project.id) });
      // Move the focus, because the refetch removes the focused button.
      body.current?.focus({ preventScroll: true });
    },
  });
  const columns: readonly TableColumn<DismissedUserAgent>[] = [
    {
      key: 'group',
      label: 'User agent',
      value: (dismissed) => dismissed.user_agent_group,
      style: { overflowWrap: 'anywhere' },
    },
    { key: 'by', label: 'Dismissed by', value: (dismissed) => dismissed.dismissed_by },
    { key: 'at', label: 'Dismissed', isTime: true, value: (dismissed) => dismissed.dismissed_at },
    {
      key: 'actions',
      label: 'Actions',
      cell: ({ id, user_agent_group: group }) =>
        project.role !== 'viewer' && (
          <Button size="compact-xs" variant="default" disabled={restore.isPending} onClick={() => restore.mutate(id)}>
            Restore<span className="unseen"> {group}</span>
          </Button>
        ),
    },
  ];
  return (
    <div ref={body} tabIndex={-1}>
      {restore.isError && (
        <Text size="sm" c="var(--failed)" role="alert">
          Couldn't restore the user agent. {toErrorMessage(restore.error)}
        </Text>
      )}
      <DataTable
        label="Dismissed user agents"
        toolbar={<Lead>These user agents are hidden for everyone in this project.</Lead>}
        columns={columns}
        rows={dismissed}
        rowKey={({ id }) => id}
        initial="at"
        owner={project.name}
        empty="No dismissed user agents."
      />
    </div>
  );
}
