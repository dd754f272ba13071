import { Text } from '@mantine/core';
import { formatChange } from '../format/change.js';

export interface ChangeProps {
  /** Current value. Null for a share of zero visits. */
  current: number | null;
  previous: number | null;
  /** Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
  before: string | null;
  /** True if the values are shares. Their change is shown in percentage points. */
  isShare?: boolean;
}

/** Change from a previous value, in words. It has no color, because an increase can be good or bad. */
export function Change({ current, previous, before, isShare = false }: ChangeProps) {
  if (before === null) return null;
  return (
    <Text size="xs" c="dimmed" className="numbers" component="span">
      {formatChange(current, previous, isShare)}
      <span className="unseen"> compared with {before}</span>
    </Text>
  );
}
