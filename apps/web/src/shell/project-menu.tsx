import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectsQuery } from '../api/queries.js';
import { Icon } from './icon.js';

/** Leads from one project to another. */
export function ProjectMenu({ projectId }: { projectId: string | undefined }) {
  const { data: projects } = useQuery(projectsQuery);
  const current = projects?.find(({ id }) => id === projectId);
  if (current === undefined) return null;
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button variant="default" size="compact-md" fw={500} miw={0} aria-label={`Project: ${current.name}`}>
          <Text component="span" size="sm" truncate>
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>Projects</Menu.Label>
        {projects?.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={`/projects/${id}/realtime`}
            rightSection={id === projectId ? <Icon name="check" size={16} /> : null}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/projects">
          All projects
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
