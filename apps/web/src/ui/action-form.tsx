import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formErrors } from '../api/form-errors.js';
import { Failure } from './failure.js';

export interface ActionFormProps<V extends Record<string, unknown>> {
  form: UseFormReturnType<V>;
  /** Sends it; what it throws is shown, at the fields that it is about. */
  action: (values: V) => Promise<unknown>;
  submit: string;
  children: ReactNode;
  /** Beside the button. */
  aside?: ReactNode;
  disabled?: boolean;
}

/** A form that says what was wrong where it was, and does not send twice. */
export function ActionForm<V extends Record<string, unknown>>(props: ActionFormProps<V>) {
  const { form, action, submit, children, aside, disabled } = props;
  const sending = useMutation({
    mutationFn: action,
    onError: (error) => form.setErrors(formErrors(error, Object.keys(form.getValues())).byField),
  });
  const { rest } = formErrors(sending.error, Object.keys(form.getValues()));
  return (
    <form noValidate onSubmit={form.onSubmit((values) => sending.mutate(values))}>
      <Stack gap="sm">
        {children}
        {sending.isError && rest !== null && <Failure error={rest} />}
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
