import { CloseButton, Group, Text } from '@mantine/core';
import { Dropdown } from '../ui/dropdown.js';

interface FilterValuesProps {
  /** Field and operator, such as "Agent is". */
  label: string;
  /** Formatted values. */
  values: readonly string[];
  /** Removes the value at this index. */
  onRemove: (index: number) => void;
  onClose: () => void;
}

/** Panel that lists a filter's values, each with a button that removes it. */
export default function FilterValues({ label, values, onRemove, onClose }: FilterValuesProps) {
  return (
    <Dropdown label={`${label}: values`} width="max-content" onClose={onClose}>
      {values.map((value, index) => (
        <Group key={value} justify="space-between" gap="md" wrap="nowrap">
          <Text size="sm">{value}</Text>
          <CloseButton
            size="sm"
            aria-label={`Remove: ${label} ${value}`}
            title="Remove"
            onClick={() => onRemove(index)}
          />
        </Group>
      ))}
    </Dropdown>
  );
}
