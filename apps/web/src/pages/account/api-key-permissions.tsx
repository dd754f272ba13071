import { Checkbox, Loader, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../api/queries.js';
import type { ApiKey } from '../../api/system-queries.js';
import { Failure } from '../../ui/failure.js';

type Scope = ApiKey['scopes'][number];

/** Form values for a new key's scopes and projects. */
interface KeyPermissions {
  scopes: Scope[];
  isLimited: boolean;
  project_ids: string[];
}

export const DEFAULT_PERMISSIONS: KeyPermissions = { scopes: ['read'], isLimited: false, project_ids: [] };

export const permissionValidators = {
  scopes: (scopes: Scope[]) => (scopes.length === 0 ? 'Choose at least one scope.' : null),
  project_ids: (ids: string[], { isLimited }: KeyPermissions) =>
    isLimited && ids.length === 0 ? 'Choose at least one project.' : null,
};

export const toPermissionsBody = ({ scopes, isLimited, project_ids }: KeyPermissions) => ({
  scopes,
  ...(isLimited && { project_ids }),
});

const SCOPE_OPTIONS: Record<Scope, { label: string; description: string }> = {
  read: {
    label: 'Read',
    description: 'View visits, reports and settings, but no secrets. Enough for an AI assistant.',
  },
  write: {
    label: 'Write',
    description: 'Make the same changes as a project member, and view access token values.',
  },
  admin: { label: 'Admin', description: 'Perform actions that require a project owner or an administrator.' },
};

export function ApiKeyPermissions<V extends KeyPermissions>({ form }: { form: UseFormReturnType<V> }) {
  const { isLimited } = form.getValues();
  return (
    <>
      <Checkbox.Group
        label="Scopes"
        description="What the key can do, within your own permissions. Scopes are separate: select each one you need."
        {...form.getInputProps('scopes')}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(SCOPE_OPTIONS).map(([scope, texts]) => (
            <Checkbox key={scope} value={scope} {...texts} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox
        label="Limit to specific projects"
        description="Otherwise, the key works in all your projects, including future ones."
        {...form.getInputProps('isLimited', { type: 'checkbox' })}
      />
      {isLimited && <Projects form={form} />}
    </>
  );
}

function Projects<V extends KeyPermissions>({ form }: { form: UseFormReturnType<V> }) {
  const projects = useQuery(projectsQuery);
  if (projects.isPending) return <Loader size="sm" />;
  if (projects.isError) {
    const retry = () => void projects.refetch();
    return <Failure error={projects.error} title="Couldn't load your projects" retry={retry} />;
  }
  return (
    <Checkbox.Group label="Projects" {...form.getInputProps('project_ids')}>
      <Stack gap="xs" mt="xs">
        {projects.data.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} />
        ))}
        {projects.data.length === 0 && <Text size="sm">You have no projects yet.</Text>}
      </Stack>
    </Checkbox.Group>
  );
}
