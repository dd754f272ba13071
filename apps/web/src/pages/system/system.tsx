import { Alert, Code, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { sessionQuery } from '../../api/queries.js';
import { pipelineQuery, systemQuery, type System } from '../../api/system-queries.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { PageHeader } from '../../ui/page-header.js';
import { SideNavigation } from '../../ui/side-navigation.js';
import { useClock } from '../../ui/use-clock.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { PipelineNotice } from '../../ui/pipeline-notice.js';
import { AddressLists } from './address-lists.js';
import { ApiKeys } from './api-keys.js';
import { DeadLetters } from './dead-letters.js';
import { Disk } from './disk.js';
import { NetworkFiles } from './network-files.js';
import { findProblems } from './problems.js';
import { Processes } from './processes.js';
import { QueueSection } from './queue.js';
import { AnswerSkeleton } from '../../ui/answer-skeleton.js';
import { SystemAnswer } from './system-answer.js';
import { Users } from './users.js';

// Lazy-loaded, because `PasswordInput` and forms are only needed in this section.
const MailServerSettings = lazy(() => import('./mail-server.js'));

const ITEMS = [
  { key: 'health', label: 'Services' },
  { key: 'address-lists', label: 'Address lists' },
  { key: 'dead-letters', label: 'Failed visits' },
  { key: 'storage', label: 'Disk and retention' },
  { key: 'network-names', label: 'Network names' },
  { key: 'email', label: 'Email' },
  { key: 'accounts', label: 'Accounts' },
  { key: 'api-keys', label: 'API keys' },
].map((item) => ({ ...item, hash: item.key }));

export function SystemPage() {
  usePageTitle('System');
  const session = useQuery(sessionQuery);
  const isAdmin = session.data?.user?.is_admin ?? false;
  const system = useQuery({ ...systemQuery, enabled: isAdmin });
  const { data: pipeline } = useQuery({ ...pipelineQuery, enabled: isAdmin });
  const now = useClock();
  // Chosen once, so the section doesn't change while someone reads it.
  const [initial, setInitial] = useState<string>();
  if (initial === undefined && system.data !== undefined) {
    setInitial(findProblems(system.data, pipeline, now)[0]?.hash ?? 'health');
  }
  const hash = useLocation({ select: (location) => location.hash });
  const { letter } = useSearch({ from: '/app/system' });
  if (session.isSuccess && !isAdmin) {
    return (
      <>
        <PageHeader title="System" />
        <EmptyState title="This page is for administrators">
          It shows this instance’s health. If something looks wrong, contact an administrator.
        </EmptyState>
      </>
    );
  }
  const current = ITEMS.some(({ key }) => key === hash)
    ? hash
    : letter !== undefined
      ? 'dead-letters'
      : (initial ?? 'health');
  const counts: Record<string, number | undefined> = {
    'address-lists': system.data?.catalog.lists.filter(({ fault }) => fault !== null).length,
    'dead-letters': system.data?.dead_letters.open,
  };
  const items = ITEMS.map((item) => ({ ...item, count: counts[item.key] }));
  const sections: Record<string, (data: System) => ReactNode> = {
    health: (data) => (
      <>
        <Processes processes={data.processes} rules={data.rules} />
        {data.queue !== null && <QueueSection queue={data.queue} outbox={data.disk.outbox} />}
      </>
    ),
    'dead-letters': (data) => <DeadLetters open={data.dead_letters.open} />,
    storage: (data) => <Disk disk={data.disk} retention={data.retention} />,
    'address-lists': (data) => <AddressLists catalog={data.catalog} />,
    'network-names': (data) => <NetworkFiles files={data.network_files} />,
  };
  return (
    <Stack>
      <PageHeader title="System" />
      {system.data === undefined ? <AnswerSkeleton /> : <SystemAnswer system={system.data} />}
      <PipelineNotice />
      {system.data?.is_public_url_insecure && (
        <Alert color="yellow" title="PUBLIC_URL uses http">
          This instance is reached over HTTPS. Set <Code>PUBLIC_URL</Code> to its https URL, so cookies are only sent
          over HTTPS and links use it too.
        </Alert>
      )}
      {isAdmin && (
        <SideNavigation label="System" items={items} current={current}>
          {current === 'email' && (
            <Suspense fallback={<CardSkeleton rows={5} />}>
              <MailServerSettings />
            </Suspense>
          )}
          {current === 'accounts' && <Users selfId={session.data?.user?.id ?? null} />}
          {current === 'api-keys' && <ApiKeys />}
          {sections[current] !== undefined && (
            <>
              {system.isPending && <CardSkeleton rows={5} />}
              {system.isError && (
                <Failure
                  error={system.error}
                  title="Couldn’t load this instance’s health"
                  retry={() => void system.refetch()}
                />
              )}
              {system.isSuccess && sections[current](system.data)}
            </>
          )}
        </SideNavigation>
      )}
    </Stack>
  );
}
