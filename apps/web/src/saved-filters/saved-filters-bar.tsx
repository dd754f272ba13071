import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { projectQuery } from '../api/queries.js';
import { savedFiltersQuery } from '../api/saved-filters.js';
import { Icon } from '../ui/icon.js';
import { filteredPage, extractFilters } from './saved-search.js';
import classes from './saved-filters.module.css';

const SavedFilterList = lazy(() => import('./saved-filter-list.js'));
const NameFilters = lazy(() => import('./filter-name-dialog.js'));

export default function SavedFiltersBar() {
  const { projectId = '' } = useParams({ strict: false });
  const { pathname, searchStr } = useLocation();
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: saved = [] } = useQuery(savedFiltersQuery(projectId));
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isSaving, saving] = useDisclosure();
  const page = filteredPage(pathname);
  const filters = extractFilters(searchStr);
  const mayChange = project !== undefined && project.role !== 'viewer';
  const canSave =
    page !== null && mayChange && filters !== '' && !saved.some((one) => one.page === page && one.search === filters);
  const hasList = saved.length > 0 || isOpen;
  if (page === null || !(canSave || hasList || isSaving)) return null;
  return (
    <Group gap="xs" className={classes['bar'] ?? ''}>
      {hasList && (
        <div className={classes['place']}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="saved" size={14} />}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            Saved filters
          </Button>
          <Suspense>
            {isOpen && <SavedFilterList projectId={projectId} mayChange={mayChange} onClose={close} />}
          </Suspense>
        </div>
      )}
      {canSave && (
        <Button size="xs" variant="subtle" onClick={saving.open}>
          Save these filters
        </Button>
      )}
      <Suspense>
        {isSaving && <NameFilters projectId={projectId} filters={{ page, search: filters }} onClose={saving.close} />}
      </Suspense>
    </Group>
  );
}
