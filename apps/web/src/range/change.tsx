import { Text } from '@mantine/core';
import { changeText } from '../format/change.js';

export interface ChangeProps {
  /** `null`: a share of nothing. */
  current: number | null;
  previous: number | null;
  /** What `previous` is of, as "the 24 hours before"; null: it is compared with nothing. */
  before: string | null;
  /** Both are shares, told in percentage points. */
  isShare?: boolean;
}

/** How a number compares, in words: neither up nor down is good by itself. */
export function Change({ current, previous, before, isShare = false }: ChangeProps) {
  if (before === null) return null;
  return (
    <Text size="xs" c="dimmed" className="numbers" component="span">
      {changeText(current, previous, isShare)}
      <span className="unseen"> compared with {before}</span>
    </Text>
  );
}
