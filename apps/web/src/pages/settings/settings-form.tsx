import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import type { Project, ProjectChange } from '../../api/client.js';
import { useProjectChange } from '../../api/project-change.js';
import { ActionForm } from '../../ui/action-form.js';

export interface SettingsFormProps<V extends Record<string, unknown>> {
  project: Project;
  form: UseFormReturnType<V>;
  change: (values: V) => ProjectChange;
  isReader: boolean;
  /** What is said once it is saved. */
  saved?: string;
  children: ReactNode;
}

/** Saves a part of a project's settings, and says that it did. */
export function SettingsForm<V extends Record<string, unknown>>(props: SettingsFormProps<V>) {
  const { project, form, change, isReader, saved = 'Saved. Applies to new visits.', children } = props;
  const [isSaved, setSaved] = useState(false);
  const save = useProjectChange(project.id);
  const action = async (values: V): Promise<void> => {
    setSaved(false);
    await save(change(values));
    form.resetDirty(values);
    setSaved(true);
  };
  if (isReader) return <>{children}</>;
  return (
    <ActionForm
      form={form}
      action={action}
      submit="Save"
      disabled={!form.isDirty()}
      aside={
        <Text size="sm" c="dimmed" aria-live="polite">
          {isSaved && !form.isDirty() ? saved : ''}
        </Text>
      }
    >
      {children}
    </ActionForm>
  );
}
