import { Textarea } from '@mantine/core';
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';
import { useRef, type ReactNode } from 'react';
import type { Versioned } from '../api/client.js';
import { ifMatch } from '../api/if-match.js';
import { ActionForm } from './action-form.js';
import { useRemount } from './remount.js';

interface RecordFormProps<V extends Record<string, unknown>, T> {
  form: UseFormReturnType<V>;
  /** Null for a new record. */
  record: Versioned<T> | null;
  /** Record type, such as "agent". Shown on the button that saves a new record. */
  noun: string;
  /** @param match Headers that prevent overwriting another user's change. */
  save: (values: V, match: ReturnType<typeof ifMatch>) => Promise<unknown>;
  /** Caches the version that another user saved. */
  onCurrent: (record: Versioned<T>) => void;
  children: ReactNode;
}

/** Form for adding or editing a catalog record. Detects conflicting changes by other users. */
export function RecordForm<V extends Record<string, unknown>, T>(props: RecordFormProps<V, T>) {
  const { form, record, noun, save, onCurrent, children } = props;
  const base = useRef(record);
  const reload = useRemount();
  const shared = base.current !== null && {
    base: base.current as Readonly<Record<string, unknown>>,
    adopt: (current: Readonly<Record<string, unknown>>) => {
      base.current = current as unknown as Versioned<T>;
      onCurrent(base.current);
    },
    reload,
  };
  return (
    <ActionForm
      form={form}
      action={(values) => save(values, ifMatch(base.current?.etag ?? null))}
      submit={record === null ? `Save ${noun}` : 'Save'}
      shared={shared || undefined}
    >
      {children}
    </ActionForm>
  );
}

interface LinesInputProps extends GetInputPropsReturnType {
  label: string;
  description: string;
}

/** Input for a list with one item per line. */
export function LinesInput(props: LinesInputProps) {
  return <Textarea autosize minRows={1} maxRows={8} spellCheck={false} {...props} />;
}
