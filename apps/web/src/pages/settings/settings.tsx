import { Alert, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Activity, lazy, Suspense, useState, type ReactNode } from 'react';
import { projectQuery } from '../../api/queries.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { PageHeader } from '../../ui/page-header.js';
import { SideNavigation } from '../../ui/side-navigation.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { Remountable } from '../../ui/remount.js';
import { General } from './general.js';
import { SETTINGS_TABS, type SettingsTab } from './tabs.js';

const VisitSettings = lazy(() => import('./visit-settings.js'));
const Members = lazy(() => import('./members.js').then((module) => ({ default: module.Members })));
const DangerZone = lazy(() => import('./danger-zone.js').then((module) => ({ default: module.DangerZone })));
const Prices = lazy(() => import('./prices.js'));
const PaidCrawling = lazy(() => import('./paid-crawling.js'));
const PathPatterns = lazy(() => import('./path-patterns.js'));
const Sharing = lazy(() => import('./sharing.js'));
const AlertChannels = lazy(() => import('./alert-channels.js'));
const Tokens = lazy(() => import('./tokens.js'));
const Drains = lazy(() => import('./drains.js'));
const HistoryTab = lazy(() => import('./history.js'));
const AuditTab = lazy(() => import('./audit-tab.js'));
const route = getRouteApi('/app/projects/$projectId/settings');

const ITEMS = Object.entries(SETTINGS_TABS).map(([key, { label }]) => ({
  key,
  label,
  search: key === 'general' ? {} : { tab: key },
}));

export function Settings() {
  const { projectId } = route.useParams();
  const { tab = 'general', agent, ...audit } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle(SETTINGS_TABS[tab].label, 'Settings', project.name);
  const { role = 'owner' } = project;
  const isReader = role === 'viewer';
  const [visited, setVisited] = useState<ReadonlySet<SettingsTab>>(new Set([tab]));
  if (!visited.has(tab)) setVisited(new Set([...visited, tab]));
  const panels: Record<SettingsTab, ReactNode> = {
    general: (
      <>
        <General project={project} isReader={isReader} />
        <Suspense fallback={<CardSkeleton rows={5} />}>
          <PathPatterns project={project} isReader={isReader} />
          <Prices project={project} isReader={isReader} />
          <PaidCrawling project={project} isReader={isReader} />
        </Suspense>
      </>
    ),
    visits: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <VisitSettings project={project} isReader={isReader} />
      </Suspense>
    ),
    tokens: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <Tokens projectId={projectId} isReader={isReader} />
      </Suspense>
    ),
    drains: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <Drains projectId={projectId} isReader={isReader} />
      </Suspense>
    ),
    members: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <Members projectId={projectId} isOwner={role === 'owner'} />
      </Suspense>
    ),
    sharing: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <Sharing projectId={projectId} isOwner={role === 'owner'} />
      </Suspense>
    ),
    alerts: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <AlertChannels projectId={projectId} isOwner={role === 'owner'} />
      </Suspense>
    ),
    history: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <HistoryTab project={project} isOwner={role === 'owner'} agent={agent} />
      </Suspense>
    ),
    audit: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <AuditTab projectId={projectId} timeZone={project.time_zone} isOwner={role === 'owner'} search={audit} />
      </Suspense>
    ),
    danger: (
      <Suspense fallback={<CardSkeleton rows={5} />}>
        <DangerZone project={project} />
      </Suspense>
    ),
  };
  return (
    <Stack>
      <PageHeader title="Settings" />
      {isReader && (
        <Alert variant="outline" color="gray">
          You have view-only access. To change settings, ask a project owner for the member role.
        </Alert>
      )}
      <SideNavigation label="Settings" items={ITEMS} current={tab}>
        {/* Visited sections stay mounted, so their input isn't lost. */}
        {[...visited].map((key) => (
          <Activity key={key} mode={key === tab ? 'visible' : 'hidden'}>
            <Remountable>{panels[key]}</Remountable>
          </Activity>
        ))}
      </SideNavigation>
    </Stack>
  );
}
