import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { ApiError } from '../api/client.js';
import { formErrors } from '../api/form-errors.js';
import { Failure } from './failure.js';

const Conflict = lazy(() => import('./conflict.js'));

interface ActionFormProps<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  /** Sends it; what it throws is shown, at the fields that it is about. */
  action: (values: V) => Promise<unknown>;
  submit: string;
  children: ReactNode;
  /** Beside the button. */
  aside?: ReactNode;
  disabled?: boolean;
  /** Of something that others change, too: what the form was filled in with, and how to fill it in anew. */
  shared?: SharedForm | undefined;
}

export interface SharedForm {
  /** What the form was filled in with. */
  base: Readonly<Record<string, unknown>>;
  /** @param current what is changed from now on. */
  adopt: (current: Readonly<Record<string, unknown>>) => void;
  /** Fills it in anew. */
  reload: () => void;
}

/** A form that says what was wrong where it was, and does not send twice. */
export function ActionForm<V extends Record<string, unknown>>(props: ActionFormProps<V>) {
  const { form, action, submit, children, aside, disabled, shared } = props;
  const sending = useMutation({
    mutationFn: action,
    onError: (error) => form.setErrors(formErrors(error, Object.keys(form.getValues())).byField),
  });
  const { rest } = formErrors(sending.error, Object.keys(form.getValues()));
  return (
    <form noValidate onSubmit={form.onSubmit((values) => sending.mutate(values))}>
      <Stack gap="sm">
        {children}
        {sending.isError &&
          rest !== null &&
          (shared !== undefined && rest instanceof ApiError && rest.current !== undefined ? (
            <Suspense>
              <Conflict
                error={rest}
                base={shared.base}
                onReload={() => {
                  shared.adopt(rest.current!);
                  shared.reload();
                }}
                onOverwrite={() => {
                  shared.adopt(rest.current!);
                  sending.mutate(form.getValues());
                }}
              />
            </Suspense>
          ) : (
            <Failure error={rest} />
          ))}
        <Group justify={aside ? 'space-between' : 'flex-start'}>
          <Button type="submit" loading={sending.isPending} disabled={disabled ?? false}>
            {submit}
          </Button>
          {aside}
        </Group>
      </Stack>
    </form>
  );
}
