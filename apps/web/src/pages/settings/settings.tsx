import { Alert, Loader, Stack, Tabs, Title } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { projectQuery } from '../../api/queries.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Remountable } from '../../ui/remount.js';
import { DangerZone } from './danger-zone.js';
import { General } from './general.js';
import { Members } from './members.js';
import { RedactedHeaders } from './redacted-headers.js';
import { Retention } from './retention.js';
import { SETTINGS_TABS, type SettingsTab } from './tabs.js';
import { Tokens } from './tokens.js';
import { UnknownVisitors } from './unknown-visitors.js';

const ClientAddress = lazy(() => import('./client-address.js'));
const Sharing = lazy(() => import('./sharing.js'));
const AlertChannels = lazy(() => import('./alert-channels.js'));
const Drains = lazy(() => import('./drains.js'));
const HistoryTab = lazy(() => import('./history.js'));
const AuditTab = lazy(() => import('./audit-tab.js'));
const route = getRouteApi('/app/projects/$projectId/settings');

export function Settings() {
  const { projectId } = route.useParams();
  const { tab = 'general', agent, ...audit } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle(SETTINGS_TABS[tab].label, 'Settings', project.name);
  const { role = 'owner' } = project;
  const isReader = role === 'viewer';
  const open = (next: string | null): void =>
    void navigate({ search: next === 'general' ? {} : { tab: next as SettingsTab }, resetScroll: false });
  const panels: Record<SettingsTab, ReactNode> = {
    general: <General project={project} isReader={isReader} />,
    visits: (
      <>
        <Suspense fallback={<Loader size="sm" />}>
          <ClientAddress project={project} isReader={isReader} />
        </Suspense>
        <RedactedHeaders project={project} isReader={isReader} />
        <UnknownVisitors project={project} isReader={isReader} />
        <Retention />
      </>
    ),
    tokens: <Tokens projectId={projectId} isReader={isReader} />,
    drains: (
      <Suspense fallback={<Loader size="sm" />}>
        <Drains projectId={projectId} isReader={isReader} />
      </Suspense>
    ),
    members: <Members projectId={projectId} isOwner={role === 'owner'} />,
    sharing: (
      <Suspense fallback={<Loader size="sm" />}>
        <Sharing projectId={projectId} isOwner={role === 'owner'} />
      </Suspense>
    ),
    alerts: (
      <Suspense fallback={<Loader size="sm" />}>
        <AlertChannels projectId={projectId} isOwner={role === 'owner'} />
      </Suspense>
    ),
    history: (
      <Suspense fallback={<Loader size="sm" />}>
        <HistoryTab project={project} isOwner={role === 'owner'} agent={agent} />
      </Suspense>
    ),
    audit: (
      <Suspense fallback={<Loader size="sm" />}>
        <AuditTab projectId={projectId} isOwner={role === 'owner'} search={audit} />
      </Suspense>
    ),
    danger: <DangerZone project={project} />,
  };
  return (
    <Stack maw={760}>
      <Title order={1}>Settings</Title>
      {isReader && (
        <Alert variant="outline" color="gray">
          You have view-only access. To change settings, ask a project owner for the member role.
        </Alert>
      )}
      {/* Arrow keys only move the focus, and Enter opens a tab, because each opened tab adds a history entry. */}
      <Tabs value={tab} onChange={open} activateTabWithKeyboard={false}>
        <Tabs.List>
          {Object.entries(SETTINGS_TABS).map(([key, { label }]) => (
            <Tabs.Tab key={key} value={key}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(panels).map(([key, panel]) => (
          <Tabs.Panel key={key} value={key} pt="md">
            <Stack>
              <Remountable>{panel}</Remountable>
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
