import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/queries.js';
import { parseRangeSearch } from '../range/range.js';
import { Icon } from '../ui/icon.js';
import classes from './navigation.module.css';
import { PageLink } from './page-link.js';
import type { PageGroup } from './project-pages.js';
import { UserButton } from './user-button.js';

/** Number to show on a project page's link. */
export interface PageCount {
  count: number;
  /** Description for screen readers, such as "unread". */
  label: string;
}

interface NavigationProps {
  projectId: string | undefined;
  groups: readonly PageGroup[];
  counts: Readonly<Record<string, PageCount | undefined>>;
  isOpen: boolean;
  /** True until the project's pages are known. Links would move otherwise. */
  isLoading: boolean;
}

/** Links to the project's and the instance's pages. */
export function Navigation({ projectId, groups, counts, isOpen, isLoading }: NavigationProps) {
  const range = parseRangeSearch(useSearch({ strict: false }));
  return (
    <nav className={classes['navigation']} data-open={isOpen || undefined} aria-label="Pages">
      <div className={classes['pages']} data-loading={isLoading || undefined}>
        {projectId !== undefined &&
          groups.map(({ title, pages }) => (
            <LinkGroup key={title} title={title}>
              {pages.map(([page, label, icon, search]) => (
                <PageLink
                  key={page}
                  to={`/projects/${projectId}/${page}`}
                  label={label}
                  icon={icon}
                  search={search === 'range' ? range : {}}
                  count={counts[page]?.count}
                  countLabel={counts[page]?.label}
                />
              ))}
            </LinkGroup>
          ))}
        <LinkGroup title="Instance">
          <PageLink to="/projects" label="Projects" icon="projects" />
          <PageLink to="/catalog" label="Catalog" icon="catalog" />
          <AdminLinks />
          <a href="/docs" className={classes['link']}>
            <Icon name="docs" size={16} />
            <span className={classes['label']}>API</span>
          </a>
        </LinkGroup>
      </div>
      <UserButton />
    </nav>
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

function LinkGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={title} className={classes['group']}>
      <span className={classes['title']} aria-hidden="true">
        {title}
      </span>
      {children}
    </div>
  );
}
