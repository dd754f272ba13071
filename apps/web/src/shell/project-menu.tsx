import { NavLink, ScrollArea, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { projectsQuery } from '../api/queries.js';
import { parseRangeSearch } from '../range/range.js';
import { Dropdown } from '../ui/dropdown.js';
import { Failure } from '../ui/failure.js';

/** Maximum number of projects listed without a search field. */
const MAX_WITHOUT_SEARCH = 7;
const EXACT_MATCH = { exact: true };

/** Returns the path of the same page in another project, or the project's path if the page is outside of projects. */
const toProjectPath = (pathname: string, projectId: string, otherId: string): string =>
  pathname.startsWith(`/projects/${projectId}/`)
    ? pathname.replace(`/projects/${projectId}/`, `/projects/${otherId}/`)
    : `/projects/${otherId}`;

/** Project menu. Each link opens the current page and date range in another project. */
export default function ProjectMenu({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const projects = useQuery(projectsQuery);
  const { pathname } = useLocation();
  const search = useSearch({ strict: false });
  const [text, setText] = useState('');
  // Don't render before the projects have loaded, so that the field or link to focus exists.
  if (projects.isPending) return null;
  const allProjects = projects.data ?? [];
  const query = text.trim().toLowerCase();
  const matches = allProjects.filter(({ name, site_address: site }) =>
    `${name} ${site ?? ''}`.toLowerCase().includes(query),
  );
  return (
    <Dropdown label="Projects" width={280} onClose={onClose}>
      {allProjects.length > MAX_WITHOUT_SEARCH && (
        <TextInput
          size="xs"
          mb="xs"
          aria-label="Find a project"
          placeholder="Name or site address"
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {projects.isError && <Failure error={projects.error} title="Couldn't load the projects" />}
      <ScrollArea.Autosize mah="50vh" viewportProps={{ tabIndex: -1 }}>
        {matches.map(({ id, name, site_address: site }) => (
          <NavLink
            key={id}
            component={Link}
            to={toProjectPath(pathname, projectId, id) as never}
            search={{ ...parseRangeSearch(search), ...('tab' in search && { tab: search.tab }) } as never}
            activeOptions={EXACT_MATCH}
            label={name}
            description={site}
            active={id === projectId}
            aria-current={id === projectId ? 'true' : undefined}
            onClick={onClose}
          />
        ))}
      </ScrollArea.Autosize>
      {projects.isSuccess && matches.length === 0 && (
        <Text size="sm" c="dimmed">
          No matching projects
        </Text>
      )}
      <NavLink component={Link} to="/projects" activeOptions={EXACT_MATCH} label="All projects" onClick={onClose} />
    </Dropdown>
  );
}
