import { Button, NavLink, ScrollArea, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { client, data } from '../api/client.js';
import { savedFiltersQuery, type SavedFilter } from '../api/saved-filters.js';
import { Confirm } from '../ui/confirm.js';
import { Dropdown } from '../ui/dropdown.js';
import { useReturnFocus } from '../ui/return-focus.js';
import { PAGE_NAMES } from './page-names.js';
import { filteredPage, filtersOf, searchWith } from './saved-search.js';
import classes from './saved-filters.module.css';

const NameFilters = lazy(() => import('./name-filters.js'));

export interface SavedFilterListProps {
  projectId: string;
  mayChange: boolean;
  onClose: () => void;
}

/** Applies saved filters of a project. Users who may change settings can rename and delete them. */
export default function SavedFilterList({ projectId, mayChange, onClose }: SavedFilterListProps) {
  useReturnFocus();
  const { data: saved = [] } = useQuery(savedFiltersQuery(projectId));
  const { pathname, searchStr } = useLocation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [renamed, setRenamed] = useState<SavedFilter | null>(null);
  const [deleted, setDeleted] = useState<SavedFilter | null>(null);
  const page = filteredPage(pathname);
  const filters = filtersOf(searchStr);
  const remove = async (filterId: string): Promise<void> => {
    const params = { path: { id: projectId, filterId } };
    await data(client.DELETE('/api/projects/{id}/saved-filters/{filterId}', { params }));
    await queryClient.invalidateQueries(savedFiltersQuery(projectId));
  };
  if (renamed !== null) {
    return (
      <Suspense>
        <NameFilters projectId={projectId} filters={renamed} onClose={onClose} />
      </Suspense>
    );
  }
  if (deleted !== null) {
    return (
      <Confirm title={`Delete “${deleted.name}”?`} label="Delete" action={() => remove(deleted.id)} onClose={onClose}>
        The filters are deleted for everybody in this project. No visits are.
      </Confirm>
    );
  }
  return (
    <Dropdown label="Saved filters" width={mayChange ? 380 : 280} onClose={onClose}>
      <ScrollArea.Autosize mah="50vh" viewportProps={{ tabIndex: -1 }}>
        {saved.map((one) => (
          <div key={one.id} className={classes['item']}>
            <NavLink
              component={Link}
              to={`/projects/${projectId}/${one.page}` as never}
              search={router.options.parseSearch(searchWith(one, searchStr)) as never}
              activeOptions={{ exact: true }}
              label={one.name}
              description={PAGE_NAMES[one.page]}
              active={one.page === page && one.search === filters}
              onClick={onClose}
            />
            {mayChange && (
              <>
                <Button size="compact-xs" variant="default" onClick={() => setRenamed(one)}>
                  Rename<span className="unseen"> {one.name}</span>
                </Button>
                <Button size="compact-xs" variant="default" c="var(--failed)" onClick={() => setDeleted(one)}>
                  Delete<span className="unseen"> {one.name}</span>
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
