import { ActionIcon, Burger, Group } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { notificationsQuery } from '../api/notifications.js';
import { summariesQuery } from '../api/queries.js';
import { Brand } from './brand.js';
import { Bell } from './bell.js';
import { ColorSchemeSwitch } from './color-scheme-switch.js';
import { IdentityConfirmation } from './identity-confirmation.js';
import { Find } from './find.js';
import { NoticeRegion } from '../notices/notice-region.js';
import { Icon } from '../ui/icon.js';
import { PipelineBadge } from '../ui/pipeline-notice.js';
import { ProjectSwitcher } from './project-switcher.js';
import classes from './shell.module.css';
import { Navigation, type PageCount } from './navigation.js';
import { PAGE_GROUPS } from './project-pages.js';
import { useCurrentProject } from './use-current-project.js';

const KeyboardHelp = lazy(() => import('./keyboard-help.js'));

/** Header, navigation and page content for signed-in users. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isHelpOpen, helpActions] = useDisclosure();
  const project = useCurrentProject();
  const { groups, counts } = usePageGroups(project?.id);
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  useFocusOnPage(pathname);
  // Handle `?` with and without Shift, because this depends on the keyboard layout.
  useHotkeys([
    ['?', helpActions.toggle],
    ['shift+?', helpActions.toggle],
  ]);
  return (
    <div className={classes['frame']}>
      <header className={classes['header']}>
        <a href="#page" className={classes['skip']}>
          Skip to content
        </a>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label="Navigation"
          aria-expanded={isOpen}
        />
        <Link to="/projects" className={classes['home']} aria-label="Agent Traffic projects">
          <Brand />
        </Link>
        {project && <ProjectSwitcher project={project} />}
        <Group ml="auto" gap={4} wrap="nowrap">
          <PipelineBadge />
          <Find pages={groups.flatMap((group) => group.pages)} projectId={project?.id} />
          <ActionIcon
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            size="lg"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts"
            onClick={helpActions.open}
            visibleFrom="xs"
          >
            <Icon name="help" />
          </ActionIcon>
          <Bell />
          <ColorSchemeSwitch />
        </Group>
      </header>
      <Navigation projectId={project?.id} groups={groups} counts={counts} isOpen={isOpen} />
      <main id="page" tabIndex={-1} className={classes['main']}>
        <div className={classes['content']}>
          <Outlet />
        </div>
      </main>
      <NoticeRegion />
      <IdentityConfirmation />
      <Suspense>{isHelpOpen && <KeyboardHelp onClose={helpActions.close} />}</Suspense>
    </div>
  );
}

/**
 * Returns the project's pages and the numbers on their links. The tools page appears only after the first MCP, ACP or
 * UCP visit, and the paid crawling page after the first request to pay.
 */
function usePageGroups(projectId: string | undefined) {
  const { data: summaries } = useQuery({
    ...summariesQuery,
    enabled: projectId !== undefined,
    refetchInterval: false,
    staleTime: 60_000,
  });
  const summary = summaries?.find(({ project_id: id }) => id === projectId);
  const isHidden: Record<string, boolean> = {
    tools: summary?.has_tools !== true,
    'paid-crawling': summary?.has_payments !== true,
  };
  const groups = PAGE_GROUPS.map((group) => ({ ...group, pages: group.pages.filter(([page]) => !isHidden[page]) }));
  const { data: list } = useQuery(notificationsQuery);
  const unread =
    list?.notifications.filter(({ project, is_read: isRead }) => project.id === projectId && !isRead) ?? [];
  const counts: Record<string, PageCount> = { alerts: { count: unread.length, label: 'unread' } };
  return { groups, counts };
}

/** Focuses the page content after navigation, so screen readers and Tab start at its top. */
function useFocusOnPage(pathname: string): void {
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    document.getElementById('page')?.focus({ preventScroll: true });
  }, [pathname]);
}
