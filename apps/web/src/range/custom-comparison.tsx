import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useReturnFocus } from '../ui/use-return-focus.js';
import type { ShownRange } from './use-range.js';
import { fromInput, toInput } from './zoned-input.js';

export interface CustomComparisonProps {
  shown: ShownRange;
  /** Initial value of the start field. */
  from: string;
  onChoose: (from: string) => void;
  onClose: () => void;
}

/** Dialog for entering the start of the comparison range. Its length matches the range on the page. */
export default function CustomComparison({ shown: { timeZone }, from, onChoose, onClose }: CustomComparisonProps) {
  useReturnFocus();
  const form = useForm({
    initialValues: { from: toInput(from, timeZone) },
    validate: { from: (text) => (fromInput(text, timeZone) === null ? 'Enter a date and time.' : null) },
  });
  return (
    <Modal opened onClose={onClose} title="Compare with" closeButtonProps={{ 'aria-label': 'Close' }} size="sm">
      <form noValidate onSubmit={form.onSubmit((values) => onChoose(fromInput(values.from, timeZone)!))}>
        <Stack gap="sm">
          <TextInput type="datetime-local" label="From" step={900} data-autofocus {...form.getInputProps('from')} />
          <Text size="xs" c="dimmed">
            Times are in {timeZone}. The period is as long as the one on this page.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Compare</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
