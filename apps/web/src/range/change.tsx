import { Text } from '@mantine/core';
import { use } from 'react';
import { EarlierDataContext } from './earlier-data.js';
import { formatChange, NEGLIGIBLE_CHANGE, NO_CHANGE, NO_EARLIER_DATA } from '../format/change.js';

export interface ChangeProps {
  /** Current value. Null for a share of zero visits. */
  current: number | null;
  previous: number | null;
  /** Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
  before: string | null;
  /** True if the values are shares. Their change is shown in percentage points. */
  isShare?: boolean;
  /** Formats the change. Default: as a percentage, or in percentage points for shares. */
  format?: (current: number | null, previous: number | null) => string;
  /** True to show the name of the comparison range after a previous count, as in "from 3 (the 24 hours before)". */
  isNamed?: boolean;
  /** Direction that is good news. The opposite direction is bad news. If omitted, the change has no color. */
  good?: 'up' | 'down';
}

const UNCOLORED_TEXTS: readonly string[] = [NO_EARLIER_DATA, NO_CHANGE, NEGLIGIBLE_CHANGE];

/** Change from a previous value, in words. */
export function Change({
  current,
  previous,
  before,
  isShare = false,
  format = (now, then) => formatChange(now, then, isShare),
  isNamed = false,
  good,
}: ChangeProps) {
  const hasEarlierData = use(EarlierDataContext);
  if (before === null) return null;
  const text = hasEarlierData ? format(current, previous) : NO_EARLIER_DATA;
  const isColored = UNCOLORED_TEXTS.every((uncolored) => text !== uncolored);
  return (
    <Text size="xs" c={isColored ? getColor(current, previous, good) : 'dimmed'} className="numbers" component="span">
      {text}
      {isNamed && text.startsWith('from ') ? ` (${before})` : <span className="unseen"> compared with {before}</span>}
    </Text>
  );
}

function getColor(current: number | null, previous: number | null, good: ChangeProps['good']): string {
  if (good === undefined || current === null || previous === null || current === previous) return 'dimmed';
  return current > previous === (good === 'up') ? 'var(--verified)' : 'var(--failed)';
}
