import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { projectsQuery, sessionQuery } from '../api/queries.js';
import { savedFiltersQuery } from '../api/saved-filters.js';
import type { NavigationPage } from '../shell/project-pages.js';
import { ACCOUNT_SECTIONS } from '../pages/account/sections.js';
import { SETTINGS_TABS } from '../pages/settings/tabs.js';
import { PAGE_NAMES } from '../saved-filters/page-names.js';
import { applySavedFilter } from '../saved-filters/saved-search.js';
import type { Entry } from './entries.js';

/** Actions that start on a page of the project. */
const ACTIONS: (Pick<Entry, 'label' | 'keywords' | 'icon' | 'search'> & { page: string })[] = [
  { label: 'Block agents', keywords: 'refuse deny slow down rule limit', icon: 'block', page: 'policy' },
  {
    label: 'Prove that a block works',
    keywords: 'test policy evidence',
    icon: 'verified',
    page: 'policy',
    search: { view: 'proof' },
  },
  { label: 'Add an alert', keywords: 'notify tell me when warn', icon: 'bell', page: 'alerts' },
  { label: 'Send a report', keywords: 'email schedule boss summary', icon: 'mail', page: 'reports' },
];

const INSTANCE_ENTRIES: Entry[] = [
  { id: 'projects', section: 'Instance', label: 'Projects', icon: 'projects', to: '/projects' },
  {
    id: 'catalog',
    section: 'Instance',
    label: 'Catalog',
    keywords: 'agents user agent test',
    icon: 'catalog',
    to: '/catalog',
  },
  {
    id: 'api',
    section: 'Instance',
    label: 'API',
    keywords: 'documentation reference interface openapi',
    icon: 'docs',
    to: '/docs',
    isExternal: true,
  },
];

const ADMIN_ENTRIES: Entry[] = [
  {
    id: 'system',
    section: 'Instance',
    label: 'System',
    keywords:
      'health retention failed visits dead letters disk queue accounts users address lists e-mail email mail server smtp',
    icon: 'system',
    to: '/system',
  },
  {
    id: 'audit',
    section: 'Instance',
    label: 'Audit log',
    keywords: 'who changed history security events revealed',
    icon: 'audit',
    to: '/audit',
  },
  {
    id: 'new-project',
    section: 'Instance',
    label: 'New project',
    keywords: 'create add site',
    icon: 'plus',
    to: '/projects',
    search: { create: true },
  },
];

const ACCOUNT_ENTRIES: Entry[] = Object.entries(ACCOUNT_SECTIONS).map(([hash, { label, keywords }]) => ({
  id: `account ${hash}`,
  section: 'Account',
  label,
  keywords,
  icon: 'user',
  to: '/account',
  hash,
}));

/**
 * Returns the entries that don't need a search request, and the project to search in. That's the current project, or
 * the only one.
 */
export function useEntries(pages: readonly NavigationPage[], projectId: string | undefined) {
  const { data: session } = useQuery(sessionQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const router = useRouter();
  const scope = projects.find(({ id }) => id === projectId) ?? (projects.length === 1 ? projects[0] : undefined);
  const { data: saved = [] } = useQuery({ ...savedFiltersQuery(scope?.id ?? ''), enabled: scope !== undefined });
  const projectEntries = (project: { id: string; name: string }): Entry[] => [
    ...ACTIONS.map(({ page, ...action }): Entry => ({
      id: `action ${action.label}`,
      section: 'Actions',
      description: project.name,
      ...action,
      to: `/projects/${project.id}/${page}`,
    })),
    ...pages.map(([page, label, icon]): Entry => ({
      id: `page ${page}`,
      section: 'Pages',
      label,
      description: project.name,
      icon,
      to: `/projects/${project.id}/${page}`,
    })),
    ...saved.map(({ id, name, page, search }): Entry => ({
      id: `filters ${id}`,
      section: 'Saved filters',
      label: name,
      description: PAGE_NAMES[page],
      icon: 'saved',
      to: `/projects/${project.id}/${page}`,
      search: router.options.parseSearch(applySavedFilter({ page, search }, router.state.location.searchStr)),
    })),
    ...Object.entries(SETTINGS_TABS).map(([tab, { label, keywords }]): Entry => ({
      id: `settings ${tab}`,
      section: 'Settings',
      label,
      description: project.name,
      keywords,
      icon: 'settings',
      to: `/projects/${project.id}/settings`,
      search: { tab },
    })),
  ];
  const entries = [
    ...(scope === undefined ? [] : projectEntries(scope)),
    ...projects.map(({ id, name, site_address: site }): Entry => ({
      id: `project ${id}`,
      section: 'Projects',
      label: name,
      ...(site !== null && { description: site }),
      icon: 'projects',
      to: `/projects/${id}`,
    })),
    ...INSTANCE_ENTRIES,
    ...(session?.user?.is_admin ? ADMIN_ENTRIES : []),
    ...ACCOUNT_ENTRIES,
  ];
  return { entries, scope };
}
