import { Alert, Code, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/queries.js';
import { systemQuery } from '../../api/system-queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { PipelineNotice } from '../../ui/pipeline-notice.js';
import { AddressLists, isFailing } from './address-lists.js';
import { ApiKeys } from './api-keys.js';
import { DeadLetters } from './dead-letters.js';
import { Disk } from './disk.js';
import { NetworkFiles } from './network-files.js';
import { Processes } from './processes.js';
import { QueueSection } from './queue.js';
import { Users } from './users.js';

export function SystemPage() {
  usePageTitle('System');
  const session = useQuery(sessionQuery);
  const isAdmin = session.data?.user?.is_admin ?? false;
  const system = useQuery({ ...systemQuery, enabled: isAdmin });
  if (session.isSuccess && !isAdmin) {
    return (
      <>
        <Title order={1}>System</Title>
        <EmptyState title="This page is for administrators">
          It shows this instance's health. If something looks wrong, contact an administrator.
        </EmptyState>
      </>
    );
  }
  return (
    <Stack maw={960}>
      <div>
        <Title order={1}>System</Title>
        <Text c="dimmed" size="sm">
          This instance's health, updated every 5 seconds.
        </Text>
      </div>
      <PipelineNotice />
      {system.isPending && <Loader size="sm" />}
      {system.isError && (
        <Failure
          error={system.error}
          title="Couldn't load this instance's health"
          retry={() => void system.refetch()}
        />
      )}
      {system.isSuccess && (
        <>
          {system.data.is_public_url_insecure && (
            <Alert color="yellow" title="PUBLIC_URL uses http">
              This instance is reached over HTTPS. Set <Code>PUBLIC_URL</Code> to its https URL, so cookies are only
              sent over HTTPS and links use it too.
            </Alert>
          )}
          {isFailing(system.data.catalog) && <AddressLists catalog={system.data.catalog} />}
          <Processes processes={system.data.processes} rules={system.data.rules} />
          <QueueSection queue={system.data.queue} outbox={system.data.disk.outbox} />
          <DeadLetters open={system.data.dead_letters.open} />
          <Disk disk={system.data.disk} retention={system.data.retention} />
          {!isFailing(system.data.catalog) && <AddressLists catalog={system.data.catalog} />}
          <NetworkFiles files={system.data.network_files} />
        </>
      )}
      {isAdmin && (
        <>
          <Users selfId={session.data?.user?.id ?? null} />
          <ApiKeys />
        </>
      )}
    </Stack>
  );
}
