import { ActionIcon, AppShell, Burger, Button, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { projectQuery, sessionQuery, summariesQuery } from '../api/queries.js';
import type { NavigationPage } from '../palette/use-entries.js';
import { readRange } from '../range/range.js';
import { Brand } from './brand.js';
import { ColorSchemeSwitch } from './color-scheme-switch.js';
import { Confirmation } from './confirmation.js';
import { FIND_KEYS, isApple } from './find-keys.js';
import { Icon, type IconName } from '../ui/icon.js';
import { PipelineBadge } from '../ui/pipeline-notice.js';
import { ProjectSwitcher } from './project-switcher.js';
import classes from './shell.module.css';
import { useSignOut } from './sign-out.js';

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

/** Header, navigation and page for signed-in users. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [hasHelp, help] = useDisclosure();
  const [isFinding, finding] = useDisclosure();
  const { projectId } = useParams({ strict: false });
  const { isError: isUnknown } = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const hasProject = projectId !== undefined && !isUnknown;
  const pages = usePages(projectId);
  const range = readRange(useSearch({ strict: false }));
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  useFocusOnPage(pathname);
  // Whether `?` requires Shift depends on the keyboard layout.
  useHotkeys([
    ['?', help.toggle],
    ['shift+?', help.toggle],
  ]);
  // The empty list makes this work in input fields, too.
  useHotkeys([['mod+K', finding.open]], []);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
          <a href="#page" className={classes['skip']}>
            Skip to the page
          </a>
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={isOpen}
          />
          <Link to="/projects" className={classes['home']} aria-label="Agent Traffic: projects">
            <Brand />
          </Link>
          {hasProject && <ProjectSwitcher projectId={projectId} />}
          <Group ml="auto" gap={4} wrap="nowrap">
            <PipelineBadge />
            <FindButton onClick={finding.open} />
            <ActionIcon
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              size="lg"
              aria-label="Keys"
              title="Keys"
              onClick={help.open}
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
            <Pages title="Project">
              {pages.map(([page, label, icon, search]) => (
                <Page
                  key={page}
                  to={`/projects/${projectId}/${page}`}
                  label={label}
                  icon={icon}
                  search={search === 'range' ? range : {}}
                />
              ))}
            </Pages>
          )}
          <Pages title="Instance">
            <Page to="/projects" label="Projects" icon="projects" />
            <Page to="/catalog" label="Catalog" icon="catalog" />
            <AdministratorLinks />
            <NavLink
              component="a"
              href="/docs"
              label="API"
              leftSection={<Icon name="docs" />}
              className={classes['link']}
            />
          </Pages>
        </AppShell.Section>
        <AppShell.Section>
          <Page to="/account" label="Account" icon="user" />
          <SignOut />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes['main']}>
        <Outlet />
      </AppShell.Main>
      <Confirmation />
      <Suspense>{hasHelp && <KeyboardHelp onClose={help.close} />}</Suspense>
      <Suspense>{isFinding && <Palette pages={pages} onClose={finding.close} />}</Suspense>
    </AppShell>
  );
}

/** Returns the project's pages. The tools page is included after the first MCP, ACP or UCP visit. */
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

/** Focuses the page after navigation, so screen readers and Tab start at its top. */
function useFocusOnPage(pathname: string): void {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    document.getElementById('page')?.focus({ preventScroll: true });
  }, [pathname]);
}

interface PageProps {
  to: string;
  label: string;
  icon: IconName;
  search?: object;
}

function Page({ to, label, icon, search = {} }: PageProps) {
  const { pathname } = useLocation();
  // Subpages, such as a single agent's, highlight their parent's link.
  const isHere = pathname === to || (to !== '/projects' && pathname.startsWith(`${to}/`));
  return (
    <NavLink
      component={Link}
      to={to}
      search={search as never}
      activeOptions={{ exact: true, includeSearch: false }}
      label={label}
      leftSection={<Icon name={icon} />}
      className={classes['link']}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
    />
  );
}

function AdministratorLinks() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.user?.is_admin) return null;
  return (
    <>
      <Page to="/system" label="System" icon="system" />
      <Page to="/audit" label="Audit log" icon="audit" />
    </>
  );
}

function Pages({ title, children }: { title: string; children: ReactNode }) {
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
        rightSection={<span className={classes['keys']}>{FIND_KEYS}</span>}
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
