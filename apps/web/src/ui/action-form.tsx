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
  /** Sends the values. Errors it throws are shown at their fields, or else above the button. */
  action: (values: V) => Promise<unknown>;
  submit: string;
  children: ReactNode;
  /** Shown next to the button. */
  aside?: ReactNode;
  disabled?: boolean;
  /** Enables conflict handling, for data that someone else may change in the meantime. */
  shared?: SharedForm | undefined;
}

export interface SharedForm {
  /** Values that the form was filled with. */
  base: Readonly<Record<string, unknown>>;
  /** Bases the next save on `current`, the server's version. */
  adopt: (current: Readonly<Record<string, unknown>>) => void;
  /** Refills the form, discarding the user's changes. */
  reload: () => void;
}

/** Form that shows errors at the fields they concern and blocks double submission. */
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
