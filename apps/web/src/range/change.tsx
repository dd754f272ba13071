import { Text } from '@mantine/core';

export interface ChangeProps {
  current: number;
  previous: number;
  /** What `previous` is of, as "the 24 hours before". */
  before: string;
  /** Both are shares, told in percentage points. */
  isShare?: boolean;
}

/** How a number compares, in words: neither up nor down is good by itself. */
export function Change({ current, previous, before, isShare = false }: ChangeProps) {
  return (
    <Text size="xs" c="dimmed" className="numbers" component="span">
      {changeText(current, previous, isShare)}
      <span className="unseen"> against {before}</span>
    </Text>
  );
}

export function changeText(current: number, previous: number, isShare: boolean): string {
  if (isShare) {
    const points = Math.round(100 * current) - Math.round(100 * previous);
    return points === 0 ? 'unchanged' : `${signed(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
  }
  if (current === previous) return 'unchanged';
  if (previous === 0) return 'none before';
  const ratio = current / previous;
  if (ratio >= 10) return `${Math.round(ratio)} times as many`;
  const percent = Math.round(100 * (ratio - 1));
  return percent === 0 ? 'about the same' : `${signed(percent)} %`;
}

const signed = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);
