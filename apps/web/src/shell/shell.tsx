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
  const { id: projectId, project } = useCurrentProject();
  const { groups, counts, isLoading } = usePageGroups(projectId);
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
          <Find pages={groups.flatMap((group) => group.pages)} projectId={projectId} />
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
      <Navigation projectId={projectId} groups={groups} counts={counts} isOpen={isOpen} isLoading={isLoading} />
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
  const { data: summaries, isPending } = useQuery({
    ...summariesQuery,
    enabled: projectId !== undefined,
    refetchInterval: false,
    staleTime: 60_000,
  });
  const summary = summaries?.find(({ project_id: id }) => id === projectId);
  const hiddenPages =
    summary === undefined
      ? readHiddenPages(projectId)
      : [...(summary.has_tools ? [] : ['tools']), ...(summary.has_payments ? [] : ['paid-crawling'])];
  const hidden = hiddenPages?.join(' ');
  useEffect(() => {
    if (projectId !== undefined && hidden !== undefined) localStorage.setItem(toStorageKey(projectId), hidden);
  }, [projectId, hidden]);
  const groups = PAGE_GROUPS.map((group) => ({
    ...group,
    pages: group.pages.filter(([page]) => !(hiddenPages ?? OPTIONAL_PAGES).includes(page)),
  }));
  const { data: list } = useQuery(notificationsQuery);
  const unread =
    list?.notifications.filter(({ project, is_read: isRead }) => project.id === projectId && !isRead) ?? [];
  const counts: Record<string, PageCount> = { alerts: { count: unread.length, label: 'unread' } };
  return { groups, counts, isLoading: projectId !== undefined && isPending && hiddenPages === null };
}

const OPTIONAL_PAGES = ['tools', 'paid-crawling'];

const toStorageKey = (projectId: string): string => `hidden pages of ${projectId}`;

/**
 * Returns the pages that were hidden when the project was last open, so that the links don't move once its summary has
 * loaded. Returns null if that's unknown.
 */
function readHiddenPages(projectId: string | undefined): string[] | null {
  const stored = projectId === undefined ? null : localStorage.getItem(toStorageKey(projectId));
  return stored?.split(' ') ?? null;
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
