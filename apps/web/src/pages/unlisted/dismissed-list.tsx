import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, data, messageOf, type Project } from '../../api/client.js';
import { dismissedQuery, unlistedKey, type DismissedUserAgent } from '../../api/unlisted.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';

export function DismissedList({ project }: { project: Project }) {
  const { data: dismissed = [] } = useQuery(dismissedQuery(project.id));
  const queryClient = useQueryClient();
  const body = useRef<HTMLDivElement>(null);
  const restoring = useMutation({
    mutationFn: async (dismissedId: string) => {
      const params = { path: { id: project.id, dismissedId } };
      await data(client.DELETE('/api/projects/{id}/dismissed-user-agents/{dismissedId}', { params }));
      await queryClient.invalidateQueries({ queryKey: unlistedKey(project.id) });
      // The focused button is gone.
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
          <Button
            size="compact-xs"
            variant="default"
            disabled={restoring.isPending}
            onClick={() => restoring.mutate(id)}
          >
            Restore<span className="unseen"> {group}</span>
          </Button>
        ),
    },
  ];
  return (
    <Section title="Dismissed" lead="These user agents are left out above, for everybody in this project.">
      <div ref={body} tabIndex={-1}>
        {restoring.isError && (
          <Text size="sm" c="var(--failed)" role="alert">
            The user agent was not restored. {messageOf(restoring.error)}
          </Text>
        )}
        <DataTable
          label="Dismissed user agents"
          columns={columns}
          rows={dismissed}
          rowKey={({ id }) => id}
          initial="at"
          owner={project.name}
          empty="No user agents were dismissed."
        />
      </div>
    </Section>
  );
}
