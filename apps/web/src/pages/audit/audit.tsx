import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHeader } from '../../ui/page-header.js';
import { getBrowserTimeZone } from '../../ui/time-zones.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { AuditLog } from '../../audit-log/audit-log.js';

const route = getRouteApi('/app/audit');

export function AuditPage() {
  usePageTitle('Audit log');
  const session = useQuery(sessionQuery);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = session.data?.user?.is_admin ?? false;
  return (
    <Stack>
      <PageHeader
        title="Audit log"
        lead={isAdmin && 'Who viewed or changed what on this instance. Each project’s own log is in its settings.'}
      />
      {session.isSuccess && !isAdmin && (
        <EmptyState title="This page is for administrators">
          Project owners can find a project’s audit log in its settings.
        </EmptyState>
      )}
      {isAdmin && (
        <AuditLog
          timeZone={getBrowserTimeZone()}
          search={search}
          onSearch={(next) => void navigate({ search: next, resetScroll: false })}
        />
      )}
    </Stack>
  );
}
