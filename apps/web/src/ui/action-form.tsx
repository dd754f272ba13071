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
  /** Submits the values. Errors it throws are shown at the affected fields, or above the button if there are none. */
  action: (values: V) => Promise<unknown>;
  submit: string;
  children: ReactNode;
  /** Shown next to the button. */
  aside?: ReactNode;
  disabled?: boolean;
  /** Hides the button and `aside`. */
  isHidden?: boolean;
  /** Default: primary. */
  variant?: 'default';
  /** Enables conflict handling for data that other users may change at the same time. */
  shared?: SharedForm | undefined;
}

export interface SharedForm {
  /** Values that the form was initialized with. */
  base: Readonly<Record<string, unknown>>;
  /** Uses `current`, the server's version, as the base for the next save. */
  adopt: (current: Readonly<Record<string, unknown>>) => void;
  /** Reinitializes the form and discards the user's changes. */
  reload: () => void;
}

/** Form that shows errors at the affected fields and prevents double submission. */
export function ActionForm<V extends Record<string, unknown>>(props: ActionFormProps<V>) {
  const { form, action, submit, children, aside, disabled, isHidden, variant, shared } = props;
  const submission = useMutation({
    mutationFn: action,
    onError: (error) => form.setErrors(formErrors(error, Object.keys(form.getValues())).byField),
  });
  const { rest } = formErrors(submission.error, Object.keys(form.getValues()));
  return (
    <form noValidate onSubmit={form.onSubmit((values) => submission.mutate(values))}>
      <Stack gap="sm">
        {children}
        {submission.isError &&
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
                  submission.mutate(form.getValues());
                }}
              />
            </Suspense>
          ) : (
            <Failure error={rest} />
          ))}
        {!isHidden && (
          <Group>
            <Button
              type="submit"
              variant={variant ?? 'filled'}
              loading={submission.isPending}
              disabled={disabled ?? false}
            >
              {submit}
            </Button>
            {aside}
          </Group>
        )}
      </Stack>
    </form>
  );
}
