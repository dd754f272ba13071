import { Checkbox, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../api/queries.js';
import type { ApiKey } from '../../api/system-queries.js';

type Scope = ApiKey['scopes'][number];

/** What a new key may be used for, and where, as the form has it. */
export interface Reach {
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

/** As the server takes it. */
export const reachOf = ({ scopes, isLimited, project_ids }: Reach) => ({ scopes, ...(isLimited && { project_ids }) });

const SCOPES: Record<Scope, { label: string; description: string }> = {
  read: { label: 'Read', description: 'Visits, reports and settings, but no secrets. Enough for an assistant.' },
  write: { label: 'Write', description: 'What members of a project change, and access tokens with their values.' },
  admin: { label: 'Admin', description: 'What takes an owner of a project, or an administrator.' },
};

/** Scopes and projects of a new key. */
export function ApiKeyReach<V extends Reach>({ form }: { form: UseFormReturnType<V> }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  return (
    <>
      <Checkbox.Group
        label="Scopes"
        description="What the key may be used for, as far as you may. None includes another."
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
        description="Otherwise it reaches all of yours, also later ones."
        {...form.getInputProps('isLimited', { type: 'checkbox' })}
      />
      {form.getValues().isLimited && (
        <Checkbox.Group label="Projects" {...form.getInputProps('project_ids')}>
          <Stack gap="xs" mt="xs">
            {projects.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
