import { NavLink, ScrollArea, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { projectsQuery } from '../api/queries.js';
import { readRange } from '../range/range.js';
import { Dropdown } from '../ui/dropdown.js';
import { Failure } from '../ui/failure.js';

/** Maximum number of projects listed without a search field. */
const MAX_UNSEARCHED = 7;
const EXACT = { exact: true };

/** Menu of projects. Each one links to the current page and date range. */
export default function ProjectMenu({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const projects = useQuery(projectsQuery);
  const { pathname } = useLocation();
  const search = useSearch({ strict: false });
  const [text, setText] = useState('');
  // Opens once loaded, so the field or link to focus exists.
  if (projects.isPending) return null;
  const all = projects.data ?? [];
  const wanted = text.trim().toLowerCase();
  const found = all.filter(({ name, site_address: site }) => `${name} ${site ?? ''}`.toLowerCase().includes(wanted));
  return (
    <Dropdown label="Projects" width={280} onClose={onClose}>
      {all.length > MAX_UNSEARCHED && (
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
      {projects.isError && <Failure error={projects.error} title="The projects can't be shown" />}
      <ScrollArea.Autosize mah="50vh" viewportProps={{ tabIndex: -1 }}>
        {found.map(({ id, name, site_address: site }) => (
          <NavLink
            key={id}
            component={Link}
            to={pathname.replace(`/projects/${projectId}`, `/projects/${id}`) as never}
            search={{ ...readRange(search), ...('tab' in search && { tab: search.tab }) } as never}
            activeOptions={EXACT}
            label={name}
            description={site}
            active={id === projectId}
            aria-current={id === projectId ? 'true' : undefined}
            onClick={onClose}
          />
        ))}
      </ScrollArea.Autosize>
      {projects.isSuccess && found.length === 0 && (
        <Text size="sm" c="dimmed">
          No projects match
        </Text>
      )}
      <NavLink component={Link} to="/projects" activeOptions={EXACT} label="All projects" onClick={onClose} />
    </Dropdown>
  );
}
