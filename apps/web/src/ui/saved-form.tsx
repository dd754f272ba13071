import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { ActionForm, type SharedForm } from './action-form.js';

export interface SavedFormProps<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  /** Saves the values. Returns new form values if they differ from the saved ones, or false if nothing was saved. */
  save: (values: V) => Promise<V | void | false>;
  isReader: boolean;
  shared?: SharedForm;
  /** Message after saving. */
  saved?: string | undefined;
  children: ReactNode;
}

/** Form for existing data. It can be saved once a value is changed, then shows a message. Readers get no Save button. */
export function SavedForm<V extends Record<string, unknown>>(props: SavedFormProps<V>) {
  const { form, save, isReader, shared, saved = 'Saved. Applies to new visits.', children } = props;
  const [isSaved, setSaved] = useState(false);
  const action = async (values: V): Promise<void> => {
    setSaved(false);
    const saved = await save(values);
    if (saved === false) return;
    const now = saved ?? values;
    form.setValues(now);
    form.resetDirty(now);
    setSaved(true);
  };
  if (isReader) return <>{children}</>;
  return (
    <ActionForm
      form={form}
      action={action}
      submit="Save"
      disabled={!form.isDirty()}
      shared={shared}
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
