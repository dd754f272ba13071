import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.js';
import { useReturnFocus } from './use-return-focus.js';

export interface ConfirmProps {
  title: string;
  /** Text that explains the consequences. */
  children: ReactNode;
  /** Label of the confirm button, such as "Delete". */
  label: string;
  action: () => Promise<unknown>;
  onClose: () => void;
}

export default function ConfirmDialog({ title, children, label, action, onClose }: ConfirmProps) {
  useReturnFocus();
  const mutation = useMutation({ mutationFn: action, onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Text size="sm">{children}</Text>
        {mutation.isError && <Failure error={mutation.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={mutation.isPending} onClick={() => mutation.mutate()}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
