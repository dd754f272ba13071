import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { ActionForm, type SharedForm } from './action-form.js';

export interface SavedFormProps<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  /** Saves the values. Returns new form values if the saved ones differ, or false if nothing was saved. */
  save: (values: V) => Promise<V | void | false>;
  isReader: boolean;
  shared?: SharedForm;
  /** Message shown after saving. */
  saved?: string | undefined;
  children: ReactNode;
}

/** Form for existing data. The Save button is enabled once a value changes, and omitted for readers. */
export function SavedForm<V extends Record<string, unknown>>(props: SavedFormProps<V>) {
  const { form, save, isReader, shared, saved = 'Saved. Applies to new visits.', children } = props;
  const [isSaved, setSaved] = useState(false);
  const action = async (values: V): Promise<void> => {
    setSaved(false);
    const saved = await save(values);
    if (saved === false) return;
    const savedValues = saved ?? values;
    form.setValues(savedValues);
    form.resetDirty(savedValues);
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
