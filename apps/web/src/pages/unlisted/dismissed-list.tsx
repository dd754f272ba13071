import { Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, data, messageOf, type Project } from '../../api/client.js';
import { dismissedQuery, unlistedKey, type DismissedUserAgent } from '../../api/unlisted.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { SortHeads } from '../../ui/sort-heads.js';
import type { Column, Sort } from '../../ui/sorting.js';
import { TableTools } from '../../ui/table-tools.js';
import { useSorted } from '../../ui/use-sorted.js';
import plain from '../../ui/plain-table.module.css';
import classes from './unlisted-table.module.css';

const COLUMNS: readonly Column<DismissedUserAgent>[] = [
  { key: 'group', label: 'User agent', value: (dismissed) => dismissed.user_agent_group },
  { key: 'by', label: 'Dismissed by', value: (dismissed) => dismissed.dismissed_by },
  { key: 'at', label: 'Dismissed', isLatestFirst: true, value: (dismissed) => dismissed.dismissed_at },
  { key: 'actions', label: 'Actions' },
];
const LATEST: Sort = { key: 'at', direction: 'descending' };
const NONE: DismissedUserAgent[] = [];

/** What the project wants to see no more of, and the way back. */
export function DismissedList({ project }: { project: Project }) {
  const { data: dismissed = NONE } = useQuery(dismissedQuery(project.id));
  const list = useSorted(dismissed, COLUMNS, LATEST);
  const queryClient = useQueryClient();
  const body = useRef<HTMLDivElement>(null);
  const restoring = useMutation({
    mutationFn: async (dismissedId: string) => {
      const params = { path: { id: project.id, dismissedId } };
      await data(client.DELETE('/api/projects/{id}/dismissed-user-agents/{dismissedId}', { params }));
      await queryClient.invalidateQueries({ queryKey: unlistedKey(project.id) });
      // What had the focus is gone.
      body.current?.focus({ preventScroll: true });
    },
  });
  return (
    <Section title="Dismissed" lead="These user agents are left out above, for everybody in this project.">
      <div ref={body} tabIndex={-1}>
        {restoring.isError && (
          <Text size="sm" c="var(--failed)" role="alert">
            The user agent was not restored. {messageOf(restoring.error)}
          </Text>
        )}
        {dismissed.length === 0 && <Text size="sm">No user agents were dismissed.</Text>}
        {dismissed.length > 0 && (
          <>
            <TableTools columns={COLUMNS} {...list} owner={project.name} page="dismissed user agents" />
            <table className={plain['table']}>
              <thead>
                <tr>
                  <SortHeads columns={COLUMNS} sort={list.sort} onSort={list.onSort} />
                </tr>
              </thead>
              <tbody>
                {list.rows.map(({ id, user_agent_group: group, dismissed_by: by, dismissed_at: at }) => (
                  <tr key={id}>
                    <td className={classes['group']}>{group}</td>
                    <td data-label="Dismissed by">{by}</td>
                    <td data-label="Dismissed">
                      <RelativeTime time={at} />
                    </td>
                    <td>
                      {project.role !== 'viewer' && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          disabled={restoring.isPending}
                          onClick={() => restoring.mutate(id)}
                        >
                          Restore<span className="unseen"> {group}</span>
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </Section>
  );
}
