import { Checkbox, Loader, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../api/queries.js';
import type { ApiKey } from '../../api/system-queries.js';
import { Failure } from '../../ui/failure.js';

type Scope = ApiKey['scopes'][number];

/** Scopes and projects of a new key, as form values. */
interface Reach {
  scopes: Scope[];
  isLimited: boolean;
  project_ids: string[];
}

export const WHOLE_REACH: Reach = { scopes: ['read'], isLimited: false, project_ids: [] };

export const reachFaults = {
  scopes: (scopes: Scope[]) => (scopes.length === 0 ? 'Choose at least one.' : null),
  project_ids: (ids: string[], { isLimited }: Reach) =>
    isLimited && ids.length === 0 ? 'Choose at least one project.' : null,
};

export const reachOf = ({ scopes, isLimited, project_ids }: Reach) => ({ scopes, ...(isLimited && { project_ids }) });

const SCOPES: Record<Scope, { label: string; description: string }> = {
  read: { label: 'Read', description: 'Visits, reports and settings, but no secrets. Enough for an assistant.' },
  write: { label: 'Write', description: 'Changes that project members can make, and access tokens with their values.' },
  admin: { label: 'Admin', description: 'Actions that need a project owner or an administrator.' },
};

export function ApiKeyReach<V extends Reach>({ form }: { form: UseFormReturnType<V> }) {
  const { isLimited } = form.getValues();
  return (
    <>
      <Checkbox.Group
        label="Scopes"
        description="What the key can do, within your own rights. Choose each scope you need: none includes another."
        {...form.getInputProps('scopes')}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(SCOPES).map(([scope, texts]) => (
            <Checkbox key={scope} value={scope} {...texts} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox
        label="Only in chosen projects"
        description="Otherwise it reaches all your projects, including later ones."
        {...form.getInputProps('isLimited', { type: 'checkbox' })}
      />
      {isLimited && <Projects form={form} />}
    </>
  );
}

function Projects<V extends Reach>({ form }: { form: UseFormReturnType<V> }) {
  const projects = useQuery(projectsQuery);
  if (projects.isPending) return <Loader size="sm" />;
  if (projects.isError) {
    const retry = () => void projects.refetch();
    return <Failure error={projects.error} title="The projects can't be shown" retry={retry} />;
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
