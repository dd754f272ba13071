import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_RANGE_DAYS } from '../api/constants.js';
import { useReturnFocus } from '../ui/use-return-focus.js';
import type { Range } from './range.js';
import type { ShownRange } from './use-range.js';
import { fromInput, toInput } from './zoned-input.js';

export interface CustomRangeProps {
  shown: Pick<ShownRange, 'from' | 'to' | 'timeZone'>;
  onChoose: (range: Range) => void;
  onClose: () => void;
}

export default function CustomRange({ shown, onChoose, onClose }: CustomRangeProps) {
  useReturnFocus();
  const { timeZone } = shown;
  const form = useForm({
    initialValues: { from: toInput(shown.from, timeZone), to: toInput(shown.to, timeZone) },
    validate: (values) => {
      const [from, to] = [fromInput(values.from, timeZone), fromInput(values.to, timeZone)];
      if (from === null) return { from: 'Enter a date and time.' };
      if (to === null) return { to: 'Enter a date and time.' };
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
      if (days <= 0) return { to: 'The end must be after the start.' };
      return days > MAX_RANGE_DAYS ? { from: 'Enter a range of at most 20 years.' } : {};
    },
  });
  const choose = (values: { from: string; to: string }): void =>
    onChoose({ from: fromInput(values.from, timeZone)!, to: fromInput(values.to, timeZone)! });
  return (
    <Modal opened onClose={onClose} title="Custom range" closeButtonProps={{ 'aria-label': 'Close' }} size="sm">
      <form noValidate onSubmit={form.onSubmit(choose)}>
        <Stack gap="sm">
          <TextInput type="datetime-local" label="From" step={900} data-autofocus {...form.getInputProps('from')} />
          <TextInput type="datetime-local" label="To" step={900} {...form.getInputProps('to')} />
          <Text size="xs" c="dimmed">
            Times are in {timeZone}. Counts have a resolution of 15 minutes.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Show range</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
