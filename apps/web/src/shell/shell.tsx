import { ActionIcon, AppShell, Burger, Group, Menu, NavLink } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { sessionQuery } from '../api/queries.js';
import { Brand } from './brand.js';
import { ColorSchemeSwitch } from './color-scheme-switch.js';
import { Icon, type IconName } from './icon.js';
import { ProjectMenu } from './project-menu.js';
import { useSignOut } from './sign-out.js';

const KeyboardHelp = lazy(() => import('./keyboard-help.js'));

const PROJECT_PAGES = [
  ['/projects/$projectId/realtime', 'Realtime', 'live'],
  ['/projects/$projectId/get-started', 'Get started', 'start'],
  ['/projects/$projectId/settings', 'Settings', 'settings'],
] as const satisfies [string, string, IconName][];

/** Head, navigation and the page, for whoever is signed in. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [hasHelp, help] = useDisclosure();
  const { projectId } = useParams({ strict: false });
  const { pathname } = useLocation();
  useEffect(close, [pathname]);
  useHotkeys([['shift+?', help.toggle]], ['INPUT', 'TEXTAREA', 'SELECT']);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
          <a href="#page" className="skip-link">
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
          <Group visibleFrom="xs">
            <Brand />
          </Group>
          <ProjectMenu projectId={projectId} />
          <Group ml="auto" gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              size="lg"
              aria-label="Keys and help"
              onClick={help.open}
              visibleFrom="xs"
            >
              <Icon name="help" />
            </ActionIcon>
            <ColorSchemeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <>
          <NavLink
            component={Link}
            to="/projects"
            activeOptions={{ exact: true }}
            label="Projects"
            leftSection={<Icon name="projects" />}
            active={pathname === '/projects'}
          />
          {projectId !== undefined &&
            PROJECT_PAGES.map(([to, label, icon]) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                params={{ projectId } as never}
                label={label}
                leftSection={<Icon name={icon} />}
                active={pathname === to.replace('$projectId', projectId)}
              />
            ))}
          <NavLink component="a" href="/docs" label="Interface" leftSection={<Icon name="docs" />} />
        </>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <Suspense>{hasHelp && <KeyboardHelp onClose={help.close} />}</Suspense>
    </AppShell>
  );
}

function AccountMenu() {
  const { data: session } = useQuery(sessionQuery);
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="var(--mantine-color-text)" size="lg" aria-label="Account">
          <Icon name="user" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session?.user?.email}</Menu.Label>
        <Menu.Item component={Link} to="/account">
          Account
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
