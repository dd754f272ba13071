import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { sessionQuery } from '../../api/queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { usePageTitle } from '../../ui/page-title.js';
import { AuditLog } from '../../audit-log/audit-log.js';

const route = getRouteApi('/app/audit');

export function AuditPage() {
  usePageTitle('Audit log');
  const session = useQuery(sessionQuery);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = session.data?.user?.is_admin ?? false;
  return (
    <Stack maw={960}>
      <div>
        <Title order={1}>Audit log</Title>
        {isAdmin && (
          <Text c="dimmed" size="sm">
            Who changed or saw what on this instance. Owners see the log of a project in its settings.
          </Text>
        )}
      </div>
      {session.isSuccess && !isAdmin && (
        <EmptyState title="This page is for administrators">
          Owners of a project find its audit log in the project’s settings.
        </EmptyState>
      )}
      {isAdmin && <AuditLog search={search} onSearch={(next) => void navigate({ search: next, resetScroll: false })} />}
    </Stack>
  );
}
