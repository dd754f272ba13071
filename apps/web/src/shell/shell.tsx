import { ActionIcon, AppShell, Burger, Button, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { projectQuery, sessionQuery, summariesQuery } from '../api/queries.js';
import type { NavigationPage } from '../palette/use-entries.js';
import { parseRangeSearch } from '../range/range.js';
import { Brand } from './brand.js';
import { ColorSchemeSwitch } from './color-scheme-switch.js';
import { IdentityConfirmation } from './identity-confirmation.js';
import { FIND_SHORTCUT, isApple } from './find-shortcut.js';
import { Icon, type IconName } from '../ui/icon.js';
import { PipelineBadge } from '../ui/pipeline-notice.js';
import { ProjectSwitcher } from './project-switcher.js';
import classes from './shell.module.css';
import { useSignOut } from './use-sign-out.js';

const Palette = lazy(() => import('../palette/palette.js'));
const KeyboardHelp = lazy(() => import('./keyboard-help.js'));

const PROJECT_PAGES: readonly NavigationPage[] = [
  ['overview', 'Overview', 'chart', 'range'],
  ['visits', 'Visits', 'visits', 'range'],
  ['realtime', 'Realtime', 'live'],
  ['agents', 'Agents', 'agents', 'range'],
  ['verification', 'Verification', 'verified', 'range'],
  ['compliance', 'Compliance', 'compliance', 'range'],
  ['referrals', 'Referrals', 'referrals', 'range'],
  ['unlisted', 'Unlisted', 'unlisted', 'range'],
  ['tools', 'Tools & commerce', 'tools', 'range'],
  ['alerts', 'Alerts', 'bell'],
  ['get-started', 'Get started', 'start'],
  ['robots', 'Robots.txt & blocking', 'robots'],
  ['settings', 'Settings', 'settings'],
];

/** Header, navigation and page content for signed-in users. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isHelpOpen, helpActions] = useDisclosure();
  const [isPaletteOpen, paletteActions] = useDisclosure();
  const { projectId } = useParams({ strict: false });
  const { isError: isMissing } = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const hasProject = projectId !== undefined && !isMissing;
  const pages = usePages(projectId);
  const range = parseRangeSearch(useSearch({ strict: false }));
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  useFocusOnPage(pathname);
  // Handle `?` with and without Shift, because this depends on the keyboard layout.
  useHotkeys([
    ['?', helpActions.toggle],
    ['shift+?', helpActions.toggle],
  ]);
  // The empty list of ignored elements enables the shortcut in input fields, too.
  useHotkeys([['mod+K', paletteActions.open]], []);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
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
          {hasProject && <ProjectSwitcher projectId={projectId} />}
          <Group ml="auto" gap={4} wrap="nowrap">
            <PipelineBadge />
            <FindButton onClick={paletteActions.open} />
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
            <ColorSchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <AppShell.Section grow className={classes['pages']}>
          {hasProject && (
            <PageGroup title="Project">
              {pages.map(([page, label, icon, search]) => (
                <PageLink
                  key={page}
                  to={`/projects/${projectId}/${page}`}
                  label={label}
                  icon={icon}
                  search={search === 'range' ? range : {}}
                />
              ))}
            </PageGroup>
          )}
          <PageGroup title="Instance">
            <PageLink to="/projects" label="Projects" icon="projects" />
            <PageLink to="/catalog" label="Catalog" icon="catalog" />
            <AdminLinks />
            <NavLink
              component="a"
              href="/docs"
              label="API"
              leftSection={<Icon name="docs" />}
              className={classes['link']}
            />
          </PageGroup>
        </AppShell.Section>
        <AppShell.Section>
          <PageLink to="/account" label="Account" icon="user" />
          <SignOut />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes['main']}>
        <Outlet />
      </AppShell.Main>
      <IdentityConfirmation />
      <Suspense>{isHelpOpen && <KeyboardHelp onClose={helpActions.close} />}</Suspense>
      <Suspense>{isPaletteOpen && <Palette pages={pages} onClose={paletteActions.close} />}</Suspense>
    </AppShell>
  );
}

/** Returns the project's pages. The tools page appears only after the first MCP, ACP or UCP visit. */
function usePages(projectId: string | undefined) {
  const { data: summaries } = useQuery({
    ...summariesQuery,
    enabled: projectId !== undefined,
    refetchInterval: false,
    staleTime: 60_000,
  });
  const hasTools = summaries?.find(({ project_id: id }) => id === projectId)?.has_tools ?? false;
  return hasTools ? PROJECT_PAGES : PROJECT_PAGES.filter(([page]) => page !== 'tools');
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

interface PageLinkProps {
  to: string;
  label: string;
  icon: IconName;
  search?: object;
}

function PageLink({ to, label, icon, search = {} }: PageLinkProps) {
  const { pathname } = useLocation();
  // Subpages, such as an agent's page, highlight their parent's link.
  const isCurrent = pathname === to || (to !== '/projects' && pathname.startsWith(`${to}/`));
  return (
    <NavLink
      component={Link}
      to={to}
      search={search as never}
      activeOptions={{ exact: true, includeSearch: false }}
      label={label}
      leftSection={<Icon name={icon} />}
      className={classes['link']}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
    />
  );
}

function AdminLinks() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.user?.is_admin) return null;
  return (
    <>
      <PageLink to="/system" label="System" icon="system" />
      <PageLink to="/audit" label="Audit log" icon="audit" />
    </>
  );
}

function PageGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={title} className={classes['group']}>
      <Text size="xs" c="dimmed" fw={600} className={classes['title']} aria-hidden="true">
        {title}
      </Text>
      {children}
    </div>
  );
}

function FindButton({ onClick }: { onClick: () => void }) {
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="find" size={14} />}
        rightSection={<span className={classes['keys']}>{FIND_SHORTCUT}</span>}
        title="Find pages, projects, agents and visits"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={onClick}
        visibleFrom="sm"
      >
        Find
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        size="lg"
        aria-label="Find"
        title="Find"
        onClick={onClick}
        hiddenFrom="sm"
      >
        <Icon name="find" />
      </ActionIcon>
    </>
  );
}

function SignOut() {
  const { data: session } = useQuery(sessionQuery);
  const signOut = useSignOut();
  return (
    <NavLink
      component="button"
      label="Sign out"
      description={session?.user?.email}
      leftSection={<Icon name="leave" />}
      className={classes['link']}
      onClick={() => void signOut()}
    />
  );
}
