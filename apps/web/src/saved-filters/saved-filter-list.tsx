import { Button, NavLink, ScrollArea, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { client, data } from '../api/client.js';
import { savedFiltersQuery, type SavedFilter } from '../api/saved-filters.js';
import { notify } from '../notices/notices.js';
import { Confirm } from '../ui/confirm.js';
import { Dropdown } from '../ui/dropdown.js';
import { useReturnFocus } from '../ui/use-return-focus.js';
import { PAGE_NAMES } from './page-names.js';
import { filteredPage, extractFilters, applySavedFilter } from './saved-search.js';
import classes from './saved-filters.module.css';

const NameFilters = lazy(() => import('./filter-name-dialog.js'));

export interface SavedFilterListProps {
  projectId: string;
  mayChange: boolean;
  onClose: () => void;
}

/** Menu for applying a project's saved filters. Viewers can't rename or delete them. */
export default function SavedFilterList({ projectId, mayChange, onClose }: SavedFilterListProps) {
  useReturnFocus();
  const { data: saved = [] } = useQuery(savedFiltersQuery(projectId));
  const { pathname, searchStr } = useLocation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [renameTarget, setRenameTarget] = useState<SavedFilter | null>(null);
  const [deletionTarget, setDeletionTarget] = useState<SavedFilter | null>(null);
  const page = filteredPage(pathname);
  const filters = extractFilters(searchStr);
  const refresh = (): Promise<void> => queryClient.invalidateQueries(savedFiltersQuery(projectId));
  const remove = async ({ id: filterId, name, page: itsPage, search }: SavedFilter): Promise<void> => {
    const path = { id: projectId };
    const params = { path: { ...path, filterId } };
    await data(client.DELETE('/api/projects/{id}/saved-filters/{filterId}', { params }));
    await refresh();
    notify({
      text: `“${name}” was deleted.`,
      undo: async () => {
        const body = { name, page: itsPage, search };
        await data(client.POST('/api/projects/{id}/saved-filters', { params: { path }, body }));
        await refresh();
        return `“${name}” was restored.`;
      },
    });
  };
  if (renameTarget !== null) {
    return (
      <Suspense>
        <NameFilters projectId={projectId} filters={renameTarget} onClose={onClose} />
      </Suspense>
    );
  }
  if (deletionTarget !== null) {
    return (
      <Confirm
        title={`Delete “${deletionTarget.name}”?`}
        label="Delete"
        action={() => remove(deletionTarget)}
        onClose={onClose}
      >
        The filters are deleted for everyone in this project. Visits aren't affected.
      </Confirm>
    );
  }
  return (
    <Dropdown label="Saved filters" width={mayChange ? 380 : 280} onClose={onClose}>
      <ScrollArea.Autosize mah="50vh" viewportProps={{ tabIndex: -1 }}>
        {saved.map((filter) => (
          <div key={filter.id} className={classes['item']}>
            <NavLink
              component={Link}
              to={`/projects/${projectId}/${filter.page}` as never}
              search={router.options.parseSearch(applySavedFilter(filter, searchStr)) as never}
              activeOptions={{ exact: true }}
              label={filter.name}
              description={PAGE_NAMES[filter.page]}
              active={filter.page === page && filter.search === filters}
              onClick={onClose}
            />
            {mayChange && (
              <>
                <Button size="compact-xs" variant="default" onClick={() => setRenameTarget(filter)}>
                  Rename<span className="unseen"> {filter.name}</span>
                </Button>
                <Button size="compact-xs" variant="default" c="var(--failed)" onClick={() => setDeletionTarget(filter)}>
                  Delete<span className="unseen"> {filter.name}</span>
                </Button>
              </>
            )}
          </div>
        ))}
      </ScrollArea.Autosize>
      {saved.length === 0 && (
        <Text size="sm" c="dimmed">
          No saved filters
        </Text>
      )}
    </Dropdown>
  );
}
