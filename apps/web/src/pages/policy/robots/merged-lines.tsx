import type { MergedLine } from '#libs/robots';
import { Text } from '@mantine/core';
import { formatCount } from '../../../format/count.js';
import classes from '../../../rules/rules.module.css';

/** Maximum number of lines shown. Files with rules for all agents have thousands. */
const MAX_LINES = 1_000;
/** Number of unchanged lines shown around each change. */
const CONTEXT = 2;

interface MergedLinesProps {
  lines: readonly MergedLine[];
  /** True to leave out lines that are far from any change. */
  isShort: boolean;
  isOld: boolean;
}

/** Merged robots.txt with the added and removed lines marked. */
export function MergedLines({ lines, isShort, isOld }: MergedLinesProps) {
  const shown = isShort ? withContext(lines) : [...lines.entries()];
  return (
    <>
      <div
        className={classes['diff']}
        data-old={isOld || undefined}
        tabIndex={0}
        role="region"
        aria-label="Rendered file"
        aria-busy={isOld}
      >
        {shown.slice(0, MAX_LINES).map(([index, { text, change }], position) => {
          const isGap = position > 0 && index !== shown[position - 1]![0] + 1;
          const Line = change === 'added' ? 'ins' : change === 'removed' ? 'del' : 'div';
          const mark = change === 'added' ? '+ ' : change === 'removed' ? '- ' : '  ';
          return [isGap && <div key={`gap ${index}`}>⋯</div>, <Line key={index}>{mark + text}</Line>];
        })}
      </div>
      {shown.length > MAX_LINES && (
        <Text size="xs" c="dimmed">
          and {formatCount(shown.length - MAX_LINES)} more lines
        </Text>
      )}
    </>
  );
}

function withContext(lines: readonly MergedLine[]): [index: number, line: MergedLine][] {
  const near = new Set<number>();
  for (const [index, { change }] of lines.entries()) {
    if (change === null) continue;
    for (let other = index - CONTEXT; other <= index + CONTEXT; other++) near.add(other);
  }
  return [...lines.entries()].filter(([index]) => near.has(index));
}
