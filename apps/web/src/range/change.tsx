import { Text } from '@mantine/core';
import { changeText } from '../format/change.js';

export interface ChangeProps {
  /** Null if the share is of no visits. */
  current: number | null;
  previous: number | null;
  /** Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
  before: string | null;
  /** True if both are shares. The change is then given in percentage points. */
  isShare?: boolean;
}

/** Change of a number, in words. It has no color, because an increase can be good or bad. */
export function Change({ current, previous, before, isShare = false }: ChangeProps) {
  if (before === null) return null;
  return (
    <Text size="xs" c="dimmed" className="numbers" component="span">
      {changeText(current, previous, isShare)}
      <span className="unseen"> compared with {before}</span>
    </Text>
  );
}
