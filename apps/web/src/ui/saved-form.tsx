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

/** Form for existing data. The Save button appears once a value changes. Readers don't get one. */
export function SavedForm<V extends Record<string, unknown>>(props: SavedFormProps<V>) {
  const { form, save, isReader, shared, saved = 'Saved. Applies to new visits.', children } = props;
  const [isSaved, setSaved] = useState(false);
  // Once edited, the button stays, so it doesn't lose the focus when the values are saved.
  const [wasEdited, setEdited] = useState(false);
  if (!wasEdited && form.isDirty()) setEdited(true);
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
      isHidden={!wasEdited}
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
